import { svg } from "../base/dom.ts";
import { MINUS } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { boxOf, type Square, toX, toY } from "./geometry.ts";
import { CHANCE } from "./text_boxes.ts";

/** The marks of a plot that depend on its size and axes alone. */
export interface Marks {
  back: SVGElement[];
  front: SVGElement[];
}

/** Most steps from 0 to the end of an axis, in a large and in a small plot. */
const ALL = 6;
const FEW = 2;
const SMALL = 290;
const TINY = 230;
const UNIT: Pair<number> = [0, 1];

const line = (name: string, x1: number, y1: number, x2: number, y2: number) =>
  svg("line", { class: `crw-${name}`, x1, y1, x2, y2 });

/** Axes of the ROC curve, and the chance line. */
export function rocAxes(square: Square): Marks {
  const isTiny = square.size < TINY;
  const across = isTiny ? "False positive rate" : `False positive rate (1 ${MINUS} specificity)`;
  const titles = { across, up: "True positive rate (sensitivity)" };
  const { left, right, top, bottom } = boxOf(square);
  const chance = line("chance", left, bottom, right, top);
  return {
    ...viewAxes(square, titles, { across: UNIT, up: UNIT }),
    front: isTiny ? [chance] : [chance, chanceWord(square)],
  };
}

function chanceWord(square: Square): SVGElement {
  const { fpr, offset } = CHANCE;
  const [x, y] = [toX(square, fpr) + offset, toY(square, fpr) + offset];
  const transform = `translate(${x} ${y}) rotate(-45)`;
  return svg("text", { class: "crw-tick crw-halo", "text-anchor": "middle", y: 4, transform }, "chance");
}

/** Axes of a view: ticks at round numbers from 0, over whatever range, and their titles. */
export function viewAxes(
  square: Square,
  titles: { across: string; up: string },
  { across, up }: { across: Pair<number>; up: Pair<number> },
): Marks {
  const { left, right, top, bottom } = boxOf(square);
  const most = square.size < SMALL ? FEW : ALL;
  const text = (x: number, y: number, anchor: string, words: string, name = "crw-tick") =>
    svg("text", { class: name, x, y, "text-anchor": anchor }, words);
  const ticks = ([low, high]: Pair<number>) =>
    ticksTo(high, most).map((tick) => ({ at: (tick - low) / (high - low), text: `${tick}` }));
  const ups = ticks(up).map((tick) => ({ ...tick, y: toY(square, tick.at) }));
  const acrosses = ticks(across).map((tick) => ({ ...tick, x: toX(square, tick.at) }));
  return {
    back: [
      ...acrosses.map(({ x }) => line("grid", x, top, x, bottom)),
      ...ups.map(({ y }) => line("grid", left, y, right, y)),
      line("axis", left, top, left, bottom),
      line("axis", left, bottom, right, bottom),
      ...acrosses.map((tick) => text(tick.x, bottom + 16, "middle", tick.text)),
      ...ups.map((tick) => text(left - 8, tick.y + 4, "end", tick.text)),
      text(0, 12, "start", `↑ ${titles.up}`, "crw-axis-title"),
      text(right, bottom + 36, "end", `${titles.across} →`, "crw-axis-title"),
    ],
    front: [],
  };
}

/** Multiples of 1, 2 or 5 times a power of ten, from 0 to the upper end; its twin is in curve_panel.py. */
export function ticksTo(high: number, most: number): number[] {
  const power = Math.floor(Math.log10(high / most));
  const tiny = 1e-9;
  const digit = [1, 2, 5, 10].find((each) => high / (each * 10 ** power) <= most + tiny) ?? 10;
  const count = Math.floor(high / (digit * 10 ** power) + tiny);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * digit * 10 ** power).toPrecision(12)));
}
