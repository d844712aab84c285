// Whisker: a range on a short horizontal axis from 0 to 1, with the observed value on it.

import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import { svg } from "../base/template.ts";
import { colourOf } from "../draw/colour.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import type { Tone } from "../words/runs.ts";

/** Size in pixels, and the room that the axis leaves at its ends. */
const [WIDTH, HEIGHT, END] = [66, 16, 3];
const MIDDLE = HEIGHT / 2;

/** A whisker with the label's dashes and the limits' colour; hatched where there is no limit. */
export function whisker(
  dashes: Tone,
  value: number,
  limits: Pair<number>,
  sides: Sides,
  colour: Tone,
  [low, high]: Pair<number>,
) {
  /** A place on the axis, rounded to tenths of a pixel. */
  const at = (of: number) => {
    const share = clamp((of - low) / (high - low), 0, 1);
    return Math.round(10 * (END + share * (WIDTH - 2 * END))) / 10;
  };
  const hasLimit = sides[0] || sides[1];
  const [from, to] = limits.map((limit, i) => (sides[i] ? limit : value));
  const hatched = limits.map((limit, i) => at(sides[i] ? limit : [low, high][i]));
  // As a property: pages forbid styles in attributes.
  const stroke = `stroke: ${colourOf(colour)}`;
  const across = (start: number, end: number) => (hasLimit ? `M${at(start)} ${MIDDLE}H${at(end)}` : "");
  const caps = limits.filter((_, i) => sides[i]).map((x) => `M${at(x)} 4V12`);
  return svg`<svg aria-hidden="true" width=${WIDTH} height=${HEIGHT} viewBox="0 0 ${WIDTH} ${HEIGHT}">
    <path class="crw-bar-hatch" d=${sides[0] && sides[1] ? "" : hatchLines(hatched[0], hatched[1])}></path>
    <path class="crw-bar-axis" d=${across(low, high)}></path>
    <path class="crw-bar crw-${dashes}" .style=${stroke} d=${across(from, to)}></path>
    <path class="crw-bar crw-${dashes} crw-bar-caps" .style=${stroke} d=${caps.join("")}></path>
    <circle class="crw-bar-dot" r="3.5" cy=${MIDDLE} cx=${at(value)}></circle>
  </svg>`;
}

const HATCH = 8;

function hatchLines(from: number, to: number): string {
  const starts = Array.from(
    { length: Math.max(0, Math.floor((to - from - HATCH) / 5) + 1) },
    (_, i) => from + 5 * i,
  );
  return starts.map((x) => `M${Math.round(10 * x) / 10} 4l8 8`).join("");
}
