import { svg } from "../base/dom.ts";
import { MINUS } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { boxOf, type Square, toX, toY } from "./geometry.ts";

const QUARTERS = [0, 0.25, 0.5, 0.75, 1];
const LETTERED = [0, 0.5, 1];
/** Most steps from 0 to the end of an axis that is no share. */
const STEPS = 3;
export const UNIT: Pair<number> = [0, 1];

export const ROC_TITLES = { across: `1 ${MINUS} specificity`, up: "Sensitivity" };

const line = (name: string, x1: number, y1: number, x2: number, y2: number) =>
  svg("line", { class: `crw-${name}`, x1, y1, x2, y2 });

/** The chance line of the ROC curve. */
export function chanceLine(square: Square): SVGElement {
  const { left, right, top, bottom } = boxOf(square);
  return line("chance", left, bottom, right, top);
}

/** Axes with their ticks and titles: of a share quarters, three of them lettered, else round numbers from 0. */
export function axes(
  square: Square,
  titles: { across: string; up: string },
  { across, up }: { across: Pair<number>; up: Pair<number> },
): SVGElement[] {
  const { left, right, top, bottom } = boxOf(square);
  const text = (x: number, y: number, anchor: string, words: string, name = "crw-tick") =>
    svg("text", { class: name, x, y, "text-anchor": anchor }, words);
  const ticks = ([low, high]: Pair<number>) =>
    (low === 0 && high === 1 ? QUARTERS : ticksTo(high, STEPS)).map((tick) => ({
      at: (tick - low) / (high - low),
      text: high !== 1 || LETTERED.includes(tick) ? `${tick}` : "",
    }));
  const ups = ticks(up).map((tick) => ({ ...tick, y: toY(square, tick.at) }));
  const acrosses = ticks(across).map((tick) => ({ ...tick, x: toX(square, tick.at) }));
  return [
    ...acrosses.map(({ x }) => line("grid", x, top, x, bottom)),
    ...ups.map(({ y }) => line("grid", left, y, right, y)),
    line("axis", left, top, left, bottom),
    line("axis", left, bottom, right, bottom),
    ...acrosses.map(({ x, at, text: words }) => text(x, bottom + 16, at === 1 ? "end" : "middle", words)),
    ...ups.map((tick) => text(left - 8, tick.y + 4, "end", tick.text)),
    text(0, 12, "start", `↑ ${titles.up}`, "crw-axis-title"),
    text(right, bottom + 33, "end", `${titles.across} →`, "crw-axis-title"),
  ];
}

/** Multiples of 1, 2 or 5 times a power of ten, from 0 to the upper end; its twin is in curve_panel.py. */
export function ticksTo(high: number, most: number): number[] {
  const power = Math.floor(Math.log10(high / most));
  const tiny = 1e-9;
  const digit = [1, 2, 5, 10].find((each) => high / (each * 10 ** power) <= most + tiny) ?? 10;
  const count = Math.floor(high / (digit * 10 ** power) + tiny);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * digit * 10 ** power).toPrecision(12)));
}
