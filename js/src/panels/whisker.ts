// Whisker: a range on a short horizontal axis from 0 to 1, with the observed value on it.

import { decoration, setAttributes, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import { colourOf } from "../draw/colour.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import type { Tone } from "../words/runs.ts";

/** In pixels; the axis leaves room at its ends. */
const [WIDTH, HEIGHT, END] = [84, 16, 3];
const MIDDLE = HEIGHT / 2;

/** Of a label, whose dashes it has; its colour is that of the limits. */
export function createWhisker(tone: Tone) {
  const axis = svg("path", { class: "crw-bar-axis" });
  const hatch = svg("path", { class: "crw-bar-hatch" });
  const line = svg("path", { class: `crw-bar crw-${tone}` });
  const caps = svg("path", { class: `crw-bar crw-${tone} crw-bar-caps` });
  const dot = svg("circle", { class: "crw-bar-dot", r: 3.5, cy: MIDDLE });
  const box = { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}` };
  return {
    element: decoration(box, hatch, axis, line, caps, dot),
    /** The axis is hatched where there is no limit. */
    draw(value: number, limits: Pair<number>, sides: Sides, colour: Tone, [low, high]: Pair<number>) {
      /** In tenths of a pixel. */
      const at = (of: number) => {
        const share = clamp((of - low) / (high - low), 0, 1);
        return Math.round(10 * (END + share * (WIDTH - 2 * END))) / 10;
      };
      for (const part of [line, caps]) part.style.stroke = colourOf(colour);
      const hasLimit = sides[0] || sides[1];
      const ends = limits.filter((_, i) => sides[i]);
      const [from, to] = limits.map((limit, i) => (sides[i] ? limit : value));
      const hatched = limits.map((limit, i) => at(sides[i] ? limit : [low, high][i]));
      setAttributes(axis, { d: hasLimit ? `M${at(low)} ${MIDDLE}H${at(high)}` : "" });
      setAttributes(hatch, { d: sides[0] && sides[1] ? "" : hatchLines(hatched[0], hatched[1]) });
      setAttributes(line, { d: hasLimit ? `M${at(from)} ${MIDDLE}H${at(to)}` : "" });
      setAttributes(caps, { d: ends.map((x) => `M${at(x)} 4V12`).join("") });
      setAttributes(dot, { cx: at(value) });
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
