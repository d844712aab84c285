// Draws the axes of a plot: grid, ticks and titles.

import { svg } from "../base/dom.ts";
import { share } from "../base/format.ts";
import { multiple } from "../base/multiple.ts";
import type { Axis } from "../scene.ts";
import { colourOf } from "./colour.ts";
import { type Axes, boxOf, type Scales, toX, toY } from "./scales.ts";

const QUARTERS = [0, 0.25, 0.5, 0.75, 1];
const LETTERED = [0, 0.5, 1];
/** The largest number of steps between ticks on an axis that is not from 0 to 1. */
const STEPS = 3;

/**
 * Returns the elements of both axes. An axis of a share has ticks at quarters, three of them with numbers. Other axes
 * have round numbers from 0 on.
 */
export function axesElements({ across, up }: Axes, scales: Scales): SVGElement[] {
  const { left, right, top, bottom } = boxOf(scales.square);
  const line = (colour: string, x1: number, y1: number, x2: number, y2: number) =>
    svg("line", { stroke: colourOf(colour), x1, y1, x2, y2 });
  const label = (x: number, y: number, anchor: string, words: string, size = 11) =>
    svg("text", { x, y, "text-anchor": anchor, "font-size": size, fill: colourOf("muted") }, words);
  const tick = (x: number, y: number, anchor: string, words: string) => {
    const element = label(x, y, anchor, words);
    element.setAttribute("class", "crw-tick");
    return element;
  };
  const acrosses = ticksOf(across).map((each) => ({ ...each, x: toX(scales, each.value) }));
  const ups = ticksOf(up).map((each) => ({ ...each, y: toY(scales, each.value) }));
  return [
    ...acrosses.map(({ x }) => line("grid", x, top, x, bottom)),
    ...ups.map(({ y }) => line("grid", left, y, right, y)),
    line("axis", left, top, left, bottom),
    line("axis", left, bottom, right, bottom),
    ...acrosses.map(({ x, value, words }) =>
      tick(x, bottom + 16, value === across.ends[1] ? "end" : "middle", words),
    ),
    ...ups.map(({ y, words }) => tick(left - 8, y + 4, "end", words)),
    label(0, 12, "start", `↑ ${up.title}`, 12),
    label(right, bottom + 33, "end", `${across.title} →`, 12),
  ];
}

function ticksOf({ ends: [low, high], isPart, isPercent = false }: Axis): { value: number; words: string }[] {
  const text = (value: number) => (isPercent && value !== 0 ? share(value) : `${value}`);
  if (isPart) {
    return QUARTERS.map((place) => {
      const value = Number((low + place * (high - low)).toFixed(3));
      return { value, words: LETTERED.includes(place) ? text(value) : "" };
    });
  }
  const isShare = low === 0 && high === 1;
  return (isShare ? QUARTERS : ticksTo(high, STEPS)).map((value) => ({
    value,
    words: !isShare || LETTERED.includes(value) ? text(value) : "",
  }));
}

/** Returns multiples of 1, 2 or 5 times a power of ten from 0 to `high`, at most `most` steps. */
export function ticksTo(high: number, most: number): number[] {
  const power = Math.floor(Math.log10(high / most));
  const tiny = 1e-9;
  const digit = [1, 2, 5, 10].find((each) => high / (each * 10 ** power) <= most + tiny) ?? 10;
  const count = Math.floor(high / (digit * 10 ** power) + tiny);
  return Array.from({ length: count + 1 }, (_, i) => multiple(i, digit * 10 ** power));
}
