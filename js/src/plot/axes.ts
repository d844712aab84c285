import { svg } from "../base/dom.ts";
import { MINUS } from "../base/format.ts";
import { boxOf, type Square, toX, toY } from "./geometry.ts";
import { CHANCE } from "./text_boxes.ts";

const ALL_TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const FEW_TICKS = [0, 0.5, 1];
const SMALL = 290;
const TINY = 230;

const fprTitle = ({ size }: Square) =>
  size < TINY ? "False positive rate →" : `False positive rate (1 ${MINUS} specificity) →`;

/** The marks of a plot that depend on its size and axes alone. */
export interface Marks {
  back: SVGElement[];
  front: SVGElement[];
}

export function axes(square: Square): Marks {
  const { left, right, top, bottom } = boxOf(square);
  const ticks = square.size < SMALL ? FEW_TICKS : ALL_TICKS;
  const line = (name: string, x1: number, y1: number, x2: number, y2: number) =>
    svg("line", { class: `crw-${name}`, x1, y1, x2, y2 });
  const text = (x: number, y: number, anchor: string, words: string, name = "crw-tick") =>
    svg("text", { class: name, x, y, "text-anchor": anchor }, words);

  return {
    back: [
      ...ticks.flatMap((tick) => [
        line("grid", toX(square, tick), top, toX(square, tick), bottom),
        line("grid", left, toY(square, tick), right, toY(square, tick)),
      ]),
      line("axis", left, top, left, bottom),
      line("axis", left, bottom, right, bottom),
      ...ticks.flatMap((tick) => [
        text(toX(square, tick), bottom + 16, "middle", String(tick)),
        text(left - 8, toY(square, tick) + 4, "end", String(tick)),
      ]),
      text(0, 12, "start", "↑ True positive rate (sensitivity)", "crw-axis-title"),
      text(right, bottom + 36, "end", fprTitle(square), "crw-axis-title"),
    ],
    front: [line("chance", left, bottom, right, top), ...(square.size < TINY ? [] : [chanceWord(square)])],
  };
}

function chanceWord(square: Square): SVGElement {
  const { fpr, offset } = CHANCE;
  const [x, y] = [toX(square, fpr) + offset, toY(square, fpr) + offset];
  const transform = `translate(${x} ${y}) rotate(-45)`;
  return svg("text", { class: "crw-tick crw-halo", "text-anchor": "middle", y: 4, transform }, "chance");
}
