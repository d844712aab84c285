// A chart as other scripts of the page read and move it, with or without a kernel.

import type { State } from "../wire/controls.ts";
import type { Controller } from "./controller.ts";

export interface ChartExports {
  /** The setting that is wanted; null while the chart cannot be read. */
  getState(): State | null;
  setAlpha(alpha: number): void;
  setThreshold(threshold: number): void;
  /** Calls back after each change of the setting; the returned function ends that. */
  onChange(listener: (state: State) => void): () => void;
}

/** The chart's exports; a value out of range is a RangeError. */
export function exportsOf(controller: Controller): ChartExports {
  const getState = () => {
    const picture = controller.picture();
    return picture.ok ? { ...picture.value.wanted } : null;
  };
  return {
    getState,
    setAlpha: (alpha) => controller.setAlpha(between("alpha", alpha, 0.001, 0.5)),
    setThreshold(threshold) {
      const picture = controller.picture();
      const isAny = picture.ok && picture.value.evaluation.anySize;
      const [low, high] = isAny ? [-Number.MAX_VALUE, Number.MAX_VALUE] : [0, 1];
      controller.setThreshold(between("threshold", threshold, low, high));
    },
    onChange(listener) {
      let known = JSON.stringify(getState());
      return controller.subscribe(() => {
        const state = getState();
        if (!state || JSON.stringify(state) === known) return;
        // The state is remembered before listeners are called: one that sets this chart again comes back here at once.
        known = JSON.stringify(state);
        listener(state);
      });
    },
  };
}

function between(name: string, value: unknown, low: number, high: number): number {
  if (typeof value === "number" && value >= low && value <= high) return value;
  throw new RangeError(`${name}: found ${String(value)}, expected a number from ${low} to ${high}`);
}
