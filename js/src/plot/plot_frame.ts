import { html, setAttributes, svg } from "../base/dom.ts";
import { axes } from "./axes.ts";
import type { Square } from "./geometry.ts";

/** Side of the square, and the room beside it for ticks. */
export interface PlotSize {
  size: number;
  left: number;
  right: number;
}

/** An empty ROC plot: axes, the chance line, and the layers of what is drawn between and over them. */
export interface PlotFrame {
  element: HTMLElement;
  drawing: SVGSVGElement;
  square: Square;
  /** True if the plot has another size than before. */
  resize(size: PlotSize): boolean;
}

const TOP = 26;
const BOTTOM = 42;

export function createPlotFrame(name: string, under: SVGElement[], over: SVGElement[]): PlotFrame {
  const back = svg("g");
  const front = svg("g");
  const drawing = svg(
    "svg",
    { class: "crw-plot", "data-testid": "plot", role: "group", "aria-label": name },
    back,
    ...under,
    front,
    ...over,
  );
  const frame: PlotFrame = {
    element: html("div", { class: "crw-stage" }, drawing),
    drawing,
    square: { x0: 0, y0: 0, size: 0 },
    resize({ size, left, right }) {
      if (size === frame.square.size && left === frame.square.x0) return false;
      frame.square = { x0: left, y0: TOP + size, size };
      setAttributes(drawing, {
        width: left + size + right,
        height: TOP + size + BOTTOM,
        "data-x0": frame.square.x0,
        "data-y0": frame.square.y0,
        "data-size": size,
      });
      const marks = axes(frame.square);
      back.replaceChildren(...marks.back);
      front.replaceChildren(...marks.front);
      return true;
    },
  };
  return frame;
}
