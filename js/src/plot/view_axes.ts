import { svg } from "../base/dom.ts";
import { fixed } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import type { Marks } from "./axes.ts";
import { boxOf, type Square, toX, toY } from "./geometry.ts";

const ALL = [0, 0.2, 0.4, 0.6, 0.8, 1];
const FEW = [0, 0.5, 1];
const SMALL = 290;

/** Axes of a view: ticks at even steps from 0, over whatever range, and their titles. */
export function viewAxes(
  square: Square,
  titles: { across: string; up: string },
  { across, up }: { across: Pair<number>; up: Pair<number> },
): Marks {
  const { left, right, top, bottom } = boxOf(square);
  const steps = square.size < SMALL ? FEW : ALL;
  const line = (name: string, x1: number, y1: number, x2: number, y2: number) =>
    svg("line", { class: `crw-${name}`, x1, y1, x2, y2 });
  const text = (x: number, y: number, anchor: string, words: string, name = "crw-tick") =>
    svg("text", { class: name, x, y, "text-anchor": anchor }, words);
  const ticks = ([low, high]: Pair<number>) =>
    steps.map((step) => ({ at: (step * high - low) / (high - low), text: numberText(step * high, high) }));
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

const numberText = (value: number, most: number) =>
  Number(fixed(value, most < 0.1 ? 3 : 2).replace("\u2212", "-")).toString();
