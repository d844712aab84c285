import { setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import { clamp } from "../base/scale.ts";
import { type Edges, heightAt } from "../evaluation/curve_lines.ts";
import type { Run } from "../words/runs.ts";
import { boxOf, fromX, type Square, toY } from "./geometry.ts";

/** From the point to the text beside it, and from the ends of the plot. */
const BESIDE = 12;
const MARGIN = 4;
const LINE = 16;
/** From the lowest edge at the point, from the point, and from the axis to a baseline. */
const BELOW_EDGE = 18;
const BELOW_POINT = 24;
const ABOVE_AXIS = 30;
/** A wide estimate, so that no layout of the page is forced. */
const CHAR = 6.8;

/** The words at the operating point, below the bands that are drawn there; and the number in a corner of the plot. */
export interface Callout {
  element: SVGElement;
  /** All but the corner. */
  words: SVGElement;
  /**
   * `point` in pixels. Lower edges that never fall to the right cannot cross a text that stands right of the point and
   * below them; where they fall, it stands left.
   */
  draw(
    square: Square,
    point: { x: number; y: number },
    lines: Run[][],
    lower: Edges["lower"][],
    isFalling?: boolean,
  ): void;
  drawCorner(square: Square, text: string, isLeft?: boolean): void;
}

export function createCallout(): Callout {
  const texts: SVGTextElement[] = [];
  const words = svg("g");
  const corner = svg("text", { class: "crw-corner crw-halo", "data-testid": "corner" });
  const element = svg("g", { "data-testid": "callout" }, corner, words);
  return {
    element,
    words,
    draw(square, { x, y }, lines, lower, isFalling = false) {
      const { left, right, bottom } = boxOf(square);
      const width =
        CHAR * Math.max(...lines.map((runs) => runs.reduce((sum, run) => sum + run.text.length, 0)));
      const last = right - MARGIN - width;
      const start = clamp(
        isFalling ? x - BESIDE - width : x + BESIDE,
        left + MARGIN,
        Math.max(last, left + MARGIN),
      );
      const at = fromX(square, x);
      const lowest = Math.max(y - BELOW_EDGE, ...lower.map((edge) => toY(square, heightAt(edge, at))));
      const base = Math.min(
        Math.max(lowest + BELOW_EDGE, y + BELOW_POINT),
        bottom - ABOVE_AXIS - (lines.length - 1) * LINE,
      );
      while (texts.length < lines.length) {
        const text = svg("text", { class: "crw-callout-line crw-halo" });
        texts.push(text);
        words.append(text);
      }
      texts.forEach((text, i) => {
        setVisible(text, i < lines.length);
        if (i < lines.length) drawLine(text, lines[i], start, base + i * LINE);
      });
    },
    drawCorner(square, text, isLeft = false) {
      const { left, right, bottom } = boxOf(square);
      setText(corner, text);
      setAttributes(corner, {
        x: isLeft ? left + MARGIN + 2 : right - MARGIN,
        y: bottom - 10,
        "text-anchor": isLeft ? "start" : "end",
      });
    },
  };
}

/** An unchanged text is left alone: to lay it out costs more than the lines of the plot. */
function drawLine(text: SVGTextElement, [run]: Run[], x: number, y: number) {
  setAttributes(text, {
    class: `crw-callout-line crw-halo crw-text-${run.tone}${run.strong ? " crw-strong" : ""}`,
    transform: `translate(${Math.round(x)} ${Math.round(y)})`,
  });
  setText(text, run.text);
}
