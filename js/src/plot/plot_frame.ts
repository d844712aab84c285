import { html, setAttributes, svg, uniqueId } from "../base/dom.ts";
import { boxOf, type Square } from "./geometry.ts";

/** Side of the square, and the room beside it for ticks. */
export interface PlotSize {
  size: number;
  left: number;
  right: number;
}

/** An empty plot: axes and the layers of what is drawn between and over them. */
export interface PlotFrame {
  element: HTMLElement;
  drawing: SVGSVGElement;
  square: Square;
  /** Draws the axes if the plot has another size than before, which is then true, or if they are stale. */
  resize(size: PlotSize, isStale?: boolean): boolean;
  /** Cuts an element off at the edges of the plot. */
  clip(element: SVGElement): void;
}

export const TOP = 22;
export const BOTTOM = 36;

export function createPlotFrame(
  name: string,
  layers: SVGElement[],
  axesOf: (square: Square) => SVGElement[],
): PlotFrame {
  const id = uniqueId("crw-clip");
  const inside = svg("rect");
  const back = svg("g");
  const drawing = svg(
    "svg",
    { class: "crw-plot", "data-testid": "plot", role: "group", "aria-label": name },
    svg("defs", {}, svg("clipPath", { id }, inside)),
    back,
    ...layers,
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
      back.replaceChildren(...axesOf(frame.square));
      return !isSame;
    },
  };
  return frame;
}
