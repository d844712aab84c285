// A range on a short horizontal axis, with the observed value on it.

import { decoration, setAttributes, setVisible, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import type { Tone } from "../words/runs.ts";

/** In pixels; `end` is the room left and right of the axis. */
export interface Bar {
  width: number;
  height: number;
  end: number;
}

/** The place of a value on the axis, in tenths of a pixel. */
export function placeOn({ width, end }: Bar, value: number, [min, max]: Pair<number> = [0, 1]): number {
  const share = (value - min) / (max - min);
  return Math.round(10 * (end + share * (width - 2 * end))) / 10;
}

export interface Whisker {
  element: SVGElement;
  /** The axis is hatched where there is no limit; a value that nobody observes has no dot. */
  draw(value: number | null, limits: Pair<number>, sides: Sides, scale: Pair<number>): void;
}

const BAR: Bar = { width: 84, height: 16, end: 3 };
const MIDDLE = BAR.height / 2;

export function createWhisker(tone: Tone): Whisker {
  const axis = svg("path", { class: "crw-bar-axis" });
  const hatch = svg("path", { class: "crw-bar-hatch" });
  const line = svg("path", { class: `crw-bar crw-bar-${tone}` });
  const caps = svg("path", { class: `crw-bar crw-bar-${tone} crw-bar-caps` });
  const dot = svg("circle", { class: "crw-bar-dot", r: 3.5, cy: MIDDLE });
  const { width, height } = BAR;
  const box = { width, height, viewBox: `0 0 ${width} ${height}` };
  return {
    element: decoration(box, hatch, axis, line, caps, dot),
    draw(value, limits, sides, scale) {
      const at = (x: number) => placeOn(BAR, x, scale);
      const zero = scale[0] < 0 ? `M${at(0)} 4V12` : "";
      const hasLimit = sides[0] || sides[1];
      const ends = limits.filter((_, i) => sides[i]);
      const [from, to] = limits.map((limit, i) => (sides[i] ? limit : (value ?? limit)));
      const [hatchedFrom, hatchedTo] = [0, 1].map((i) => (sides[i] ? at(limits[i]) : at(scale[i])));
      setAttributes(axis, { d: hasLimit ? `M${at(scale[0])} ${MIDDLE}H${at(scale[1])}${zero}` : "" });
      setAttributes(hatch, { d: sides[0] && sides[1] ? "" : hatchLines(hatchedFrom, hatchedTo) });
      setAttributes(line, { d: hasLimit ? `M${at(from)} ${MIDDLE}H${at(to)}` : "" });
      setAttributes(caps, { d: ends.map((x) => `M${at(x)} 4V12`).join("") });
      setVisible(dot, value !== null);
      if (value !== null) setAttributes(dot, { cx: at(value) });
    },
  };
}

const HATCH = 8;

function hatchLines(from: number, to: number): string {
  const starts = Array.from(
    { length: Math.max(0, Math.floor((to - from - HATCH) / 5) + 1) },
    (_, i) => from + 5 * i,
  );
  return starts.map((x) => `M${Math.round(10 * x) / 10} 4l8 8`).join("");
}
