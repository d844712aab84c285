import { html, setAttributes, svg, uniqueId } from "../base/dom.ts";
import { type Marks, rocAxes } from "./axes.ts";
import { boxOf, type Square } from "./geometry.ts";

/** Side of the square, and the room beside it for ticks. */
export interface PlotSize {
  size: number;
  left: number;
  right: number;
  /** There is no room for captions: the names stand in a key below the plot. */
  hasKey: boolean;
}

/** An empty plot: axes, of the ROC curve unless others are given, and the layers of what is drawn between and over them. */
export interface PlotFrame {
  element: HTMLElement;
  drawing: SVGSVGElement;
  square: Square;
  /** Draws the axes if the plot has another size than before, which is then true, or if they are stale. */
  resize(size: PlotSize, isStale?: boolean): boolean;
  /** Cuts an element off at the edges of the plot. */
  clip(element: SVGElement): void;
}

const TOP = 26;
const BOTTOM = 42;

export function createPlotFrame(
  name: string,
  under: SVGElement[],
  over: SVGElement[],
  marksOf: (square: Square) => Marks = rocAxes,
): PlotFrame {
  const id = uniqueId("crw-clip");
  const inside = svg("rect");
  const back = svg("g");
  const front = svg("g");
  const drawing = svg(
    "svg",
    { class: "crw-plot", "data-testid": "plot", role: "group", "aria-label": name },
    svg("defs", {}, svg("clipPath", { id }, inside)),
    back,
    ...under,
    front,
    ...over,
  );
  const frame: PlotFrame = {
    element: html("div", { class: "crw-stage" }, drawing),
    drawing,
    square: { x0: 0, y0: 0, size: 0 },
    clip: (element) => element.setAttribute("clip-path", `url(#${id})`),
    resize({ size, left, right }, isStale = false) {
      const isSame = size === frame.square.size && left === frame.square.x0;
      if (isSame && !isStale) return false;
      frame.square = { x0: left, y0: TOP + size, size };
      setAttributes(drawing, {
        width: left + size + right,
        height: TOP + size + BOTTOM,
        "data-x0": frame.square.x0,
        "data-y0": frame.square.y0,
        "data-size": size,
      });
      const box = boxOf(frame.square);
      setAttributes(inside, { x: box.left, y: box.top, width: size, height: size });
      const marks = marksOf(frame.square);
      back.replaceChildren(...marks.back);
      front.replaceChildren(...marks.front);
      return !isSame;
    },
  };
  return frame;
}
