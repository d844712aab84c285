// Makes the SVG of a plot with its axes and marks.

import { html, setAttributes, svg } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import type { Mark } from "../scene.ts";
import { VIEW_KINDS, type ViewKind } from "../wire/controls.ts";
import { axesElements } from "./axes.ts";
import { createMarks } from "./marks.ts";
import { type Axes, scalesOf, unitScales } from "./scales.ts";

/** The size of a plot: the side of its square, and the margins for the ticks. */
export interface PlotSize {
  size: number;
  left: number;
  right: number;
}

/** Returns the name of a view's curve on the page. */
export const curveName = (view: ViewKind) => view.replace("_", "-");

/** CSS selector of the drawn curve in every view. */
export const CURVE = [...VIEW_KINDS.map(curveName), "pooled", "averaged"]
  .map((name) => `.crw-plot [data-testid="${name}"]`)
  .join();

const TOP = 22;
const BOTTOM = 36;

/** Makes the SVG of a plot with its axes and marks. `layers` are drawn above them. */
export function createCanvas(...layers: SVGElement[]) {
  const back = svg("g");
  const marks = createMarks();
  const drawing = svg(
    "svg",
    { class: "crw-plot", "data-testid": "plot", role: "group", translate: "no" },
    ...[back, marks.element, ...layers],
  );
  let drawn: unknown = null;
  const canvas = {
    element: html("div", { class: "crw-stage" }, drawing),
    drawing,
    scales: unitScales({ x0: 0, y0: 0, size: 1 }),
    draw(name: string, axes: Axes, all: readonly Mark[], { size, left, right }: PlotSize, isMoving: boolean) {
      setAttributes(drawing, { "aria-label": name });
      const next = [axes, size, left, right];
      if (!isSameValue(next, drawn)) {
        drawn = next;
        const square = { x0: left, y0: TOP + size, size };
        canvas.scales = scalesOf(square, axes);
        setAttributes(drawing, {
          width: left + size + right,
          height: TOP + size + BOTTOM,
          "data-x0": square.x0,
          "data-y0": square.y0,
          "data-size": size,
        });
        back.replaceChildren(...axesElements(axes, canvas.scales));
      }
      marks.draw(all, canvas.scales, isMoving);
    },
  };
  return canvas;
}

export type Canvas = ReturnType<typeof createCanvas>;
