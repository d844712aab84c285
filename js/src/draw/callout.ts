// Call-out at the operating point: threshold and limits in words.

import { setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import type { Run } from "../words/runs.ts";
import { HALO, textColour } from "./colour.ts";
import { boxOf, type Square } from "./scales.ts";

/** From the point to the text beside it, and from the ends of the plot. */
const BESIDE = 12;
const MARGIN = 4;
const LINE = 16;
/** From the lowest edge at the point, from the point, and from the axis to a baseline. */
const BELOW_EDGE = 18;
const BELOW_POINT = 24;
const ABOVE_AXIS = 46;
/** From the right end to text in the corner, as the area has it. */
const CORNER = 8;
/** A wide estimate, so that no layout of the page is forced. */
const CHAR = 6.8;

/** Where the point and the edges below it are, in pixels. */
export interface Around {
  x: number;
  y: number;
  lowest: number;
  /** Whether the edges fall to the right, as those of a precision do. */
  isFalling: boolean;
}

/** The words at the operating point, below the bands that are drawn there. */
export function createCallout() {
  const texts: SVGTextElement[] = [];
  const element = svg("g", { "data-testid": "callout" });
  return {
    element,
    /**
     * Lower edges that never fall to the right cannot cross a text that stands right of the point and below them; where
     * they fall, it stands left. Among several curves it would cross others: it stands in the corner, above the area.
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

      function besideOf({ x, y, lowest, isFalling }: Around): Pair<number> {
        const at = clamp(isFalling ? x - BESIDE - width : x + BESIDE, left + MARGIN, last);
        return [at, Math.min(Math.max(lowest + BELOW_EDGE, y + BELOW_POINT), lowestBase)];
      }
    },
  };
}

/** An unchanged text is left alone: to lay it out costs more than the lines of the plot. */
function drawLine(text: SVGTextElement, [run]: Run[], x: number, y: number) {
  setAttributes(text, {
    fill: textColour(run.tone),
    "font-weight": run.strong ? 600 : 400,
    transform: `translate(${Math.round(x)} ${Math.round(y)})`,
  });
  setText(text, run.text);
}
