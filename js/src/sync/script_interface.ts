// Lets other scripts of the page read and change a chart, with or without a kernel.

import type { State } from "../wire/controls.ts";
import type { Controller } from "./controller.ts";

export interface ChartExports {
  /** Returns the setting that the user wants. Null as long as the chart cannot be read. */
  getState(): State | null;
  setAlpha(alpha: number): void;
  setThreshold(threshold: number): void;
  /** Calls `listener` after each change of the setting. The returned function stops this. */
  onChange(listener: (state: State) => void): () => void;
}

/** Returns the chart's interface for scripts. Its methods throw a RangeError if a value is out of range. */
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
        // A listener may change this chart, which calls this function again. So the state is stored before
        // the listener is called.
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
