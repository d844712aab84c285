// Call-out at the operating point: threshold and limits in words.

import { setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import type { Run } from "../words/runs.ts";
import { HALO, textColour } from "./colour.ts";
import { boxOf, type Square } from "./scales.ts";

/** Distance of the text from the point, and from the ends of the plot. */
const BESIDE = 12;
const MARGIN = 4;
const LINE = 16;
/** Distances of a baseline from the lowest edge at the point, from the point, and from the axis. */
const BELOW_EDGE = 18;
const BELOW_POINT = 24;
const ABOVE_AXIS = 46;
/** Distance of text in the corner from the right end, the same as the area's. */
const CORNER = 8;
/** Width of a letter, estimated widely: to measure it would force a layout of the page. */
const CHAR = 6.8;

/** Place of the point and of the edges below it, in pixels. */
export interface Around {
  x: number;
  y: number;
  lowest: number;
  /** Whether the edges fall to the right, as those of a precision do. */
  isFalling: boolean;
  /** A level line that is not to run through the text; NaN where there is none. */
  level: number;
}

/** The words at the operating point, below the bands that are drawn there. */
export function createCallout() {
  const texts: SVGTextElement[] = [];
  const element = svg("g", { "data-testid": "callout" });
  return {
    element,
    /**
     * The text stands right of the point and below the edges, which cannot cross it as long as they never fall; where
     * they fall, it stands left. Among several curves it stands in the corner, above the area, where it crosses none.
     */
    draw(square: Square, lines: Run[][], around: Around | null) {
      const { left, right, bottom } = boxOf(square);
      const length = (runs: Run[]) => runs.reduce((sum, run) => sum + run.text.length, 0);
      const width = CHAR * Math.max(...lines.map(length));
      const last = Math.max(right - MARGIN - width, left + MARGIN);
      const lowestBase = bottom - ABOVE_AXIS - (lines.length - 1) * LINE;
      const [start, base] = around ? besideOf(around) : [right - CORNER, lowestBase];
      setAttributes(element, { "text-anchor": around ? "start" : "end" });
      while (texts.length < lines.length) {
        const text = svg("text", { class: "crw-callout-line", "font-size": 12, ...HALO, "stroke-width": 4 });
        texts.push(text);
        element.append(text);
      }
      texts.forEach((text, i) => {
        setVisible(text, i < lines.length);
        if (i < lines.length) drawLine(text, lines[i], start, base + i * LINE);
      });

      function besideOf({ x, y, lowest, isFalling, level }: Around): Pair<number> {
        const at = clamp(isFalling ? x - BESIDE - width : x + BESIDE, left + MARGIN, last);
        const base = Math.min(Math.max(lowest + BELOW_EDGE, y + BELOW_POINT), lowestBase);
        const isCrossed = base - LINE < level && level < base + lines.length * LINE;
        return [at, isCrossed ? level + BELOW_EDGE : base];
      }
    },
  };
}

/** Draws a line of the text if it has changed: to lay text out costs more than the lines of the plot. */
function drawLine(text: SVGTextElement, [run]: Run[], x: number, y: number) {
  setAttributes(text, {
    fill: textColour(run.tone),
    "font-weight": run.strong ? 600 : 400,
    transform: `translate(${Math.round(x)} ${Math.round(y)})`,
  });
  setText(text, run.text);
}
