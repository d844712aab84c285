// Makes the large plot: the marks of the view, the handle of the operating point, and the callout at the pointer.

import { createCanvas, curveName, type PlotSize } from "../draw/canvas.ts";
import { createCornerToggle } from "../draw/corner_toggle.ts";
import { createHover } from "../draw/hover.ts";
import { createPointHandle } from "../draw/point_handle.ts";
import { toX, toY } from "../draw/scales.ts";
import type { Dot, Mark } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { axesOf, marksOf, readingAt, viewOf } from "../views/views.ts";
import { VIEW_NAMES } from "../wire/controls.ts";
import { holdOf } from "./holds.ts";

export function createPlot(controller: Controller, root: HTMLElement, signal: AbortSignal) {
  const hover = createHover(signal);
  const handle = createPointHandle(controller, signal);
  const canvas = createCanvas(hover.mark, handle.element);
  const { element, drawing } = canvas;
  hover.listen(canvas);
  const corner = createCornerToggle(controller, root, signal);

  return {
    element,
    drawing,
    /** The button that magnifies the corner. */
    corner: corner.element,
    draw(picture: Picture, size: PlotSize) {
      corner.draw(picture);
      const marks = marksOf(picture);
      const name = picture.shown === null ? "ROC curves" : VIEW_NAMES[picture.view];
      canvas.draw(name, axesOf(picture), named(marks, picture), size, picture.held);
      const point = marks.find((mark): mark is Dot => mark.id === "point");
      handle.element.toggleAttribute("hidden", !point);
      if (point) {
        const { scales } = canvas;
        handle.element.classList.toggle("crw-outside", point.fill === "paper");
        const hold = holdOf(controller, viewOf(picture), picture, scales);
        handle.draw(scales, toX(scales, point.x), toY(scales, point.y), hold);
      }
      hover.draw(picture.held ? null : (x, y) => readingAt(picture, x, y));
    },
  };
}

/** The handle draws the operating point, so the plot leaves out these marks. */
const STANDING_IN = new Set(["point", "point-text"]);

/** Returns the marks of the large plot, with the ids that tests use. */
function named(marks: readonly Mark[], { shown, group, view }: Picture): Mark[] {
  const name = shown !== null ? curveName(view) : group.folds ? "pooled" : "averaged";
  const names: Record<string, string> = { curve: name, range: `band-${name}`, counts: "score-counts" };
  return marks
    .filter(({ id }) => !STANDING_IN.has(id))
    .map((mark) => ({ ...mark, id: names[mark.id] ?? mark.id.replace(/^comparator-/, "overlay-") }));
}
