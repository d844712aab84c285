// A range on a short horizontal axis, with the observed value on it.

import { setAttributes, setVisible, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
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
  /** Without limits the axis is hatched. */
  draw(value: number, limits: Pair<number> | null, scale: Pair<number>): void;
}

const BAR: Bar = { width: 50, height: 16, end: 3 };
const MIDDLE = BAR.height / 2;

export function createWhisker(tone: Tone): Whisker {
  const axis = svg("path", { class: "crw-bar-axis" });
  const hatch = svg("path", { class: "crw-bar-hatch", d: hatchLines() });
  const line = svg("path", { class: `crw-bar crw-bar-${tone}` });
  const caps = svg("path", { class: `crw-bar crw-bar-${tone} crw-bar-caps` });
  const dot = svg("circle", { class: "crw-bar-dot", r: 3.5, cy: MIDDLE });
  const { width, height } = BAR;
  const box = { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" };
  return {
    element: svg("svg", box, hatch, axis, line, caps, dot),
    draw(value, limits, scale) {
      const at = (x: number) => placeOn(BAR, x, scale);
      const zero = scale[0] < 0 ? `M${at(0)} 4V12` : "";
      setAttributes(axis, { d: `M${at(scale[0])} ${MIDDLE}H${at(scale[1])}${zero}` });
      setVisible(hatch, limits === null);
      setVisible(axis, limits !== null);
      setAttributes(line, { d: limits ? `M${at(limits[0])} ${MIDDLE}H${at(limits[1])}` : "" });
      setAttributes(caps, { d: limits ? limits.map((x) => `M${at(x)} 4V12`).join("") : "" });
      setAttributes(dot, { cx: at(value) });
    },
  };
}

function hatchLines(): string {
  const starts = Array.from({ length: (BAR.width - 8) / 5 }, (_, i) => BAR.end + 5 * i);
  return starts.map((x) => `M${x} 4l8 8`).join("");
}
