// The large plot: marks of the view, operating point with its call-out, and the callout at the pointer.

import { listen } from "../base/dom.ts";
import { heightAt } from "../evaluation/observed_curve.ts";
import type { Area, Dot, Line, Mark } from "../scene.ts";
import { hasCuts } from "../shown/cuts.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import type { View } from "../views/view.ts";
import { axesOf, marksOf, readingAt, viewOf } from "../views/views.ts";
import { VIEW_KINDS, VIEW_NAMES, type ViewKind } from "../wire/controls.ts";
import { type Around, createCallout } from "./callout.ts";
import { createCanvas, type PlotSize } from "./canvas.ts";
import { createCornerToggle } from "./corner_toggle.ts";
import { holdOf } from "./holds.ts";
import { createHover } from "./hover.ts";
import { createPointHandle } from "./point_handle.ts";
import { fromX, type Scales, toX, toY } from "./scales.ts";

/** The large plot of one evaluation, or of several together. `onBand` is called when the pointer comes to a band or leaves it. */
export function createPlot(
  controller: Controller,
  root: HTMLElement,
  onBand: (isOn: boolean) => void,
  signal: AbortSignal,
) {
  const callout = createCallout();
  const hover = createHover(signal);
  const handle = createPointHandle(controller, signal);
  const canvas = createCanvas(callout.element, hover.mark, handle.element);
  const { element, drawing } = canvas;
  hover.listen(canvas);
  const corner = createCornerToggle(controller, root, signal);
  element.append(corner.above);
  const isBand = (target: EventTarget | null) =>
    (target as Element).matches('[data-testid="band-sensitivity"], [data-testid="band-specificity"]');
  listen(drawing, "pointerover", signal, ({ target }) => onBand(isBand(target)));
  listen(drawing, "pointerleave", signal, () => onBand(false));

  return {
    element,
    drawing,
    /** The corner's button in a menu, where there is none above the plot. */
    corner: corner.seldom,
    draw(picture: Picture, size: PlotSize) {
      corner.draw(picture);
      corner.above.style.right = `${size.right}px`;
      const view = viewOf(picture);
      const marks = marksOf(picture);
      const name = picture.shown === null ? "ROC curves" : VIEW_NAMES[picture.view];
      canvas.draw(name, axesOf(picture), named(marks, picture), size, picture.held);
      const point = marks.find((mark): mark is Dot => mark.id === "point");
      for (const each of [callout.element, handle.element]) each.toggleAttribute("hidden", !point);
      if (point) drawPoint(picture, view, marks, point);
      hover.draw(picture.held ? null : (x, y) => readingAt(picture, x, y));
    },
  };

  function drawPoint(picture: Picture, view: View, marks: readonly Mark[], point: Dot) {
    const { scales } = canvas;
    handle.element.classList.toggle("crw-outside", point.fill === "paper");
    const [x, y] = [toX(scales, point.x), toY(scales, point.y)];
    const isAmong = picture.view === "roc" && hasCuts(picture.group);
    const none = marks.find((mark): mark is Line => mark.id === "none");
    const level = none ? toY(scales, none.points.y[0]) : Number.NaN;
    const around = isAmong ? null : { x, y, level, ...edgesBelow(marks, scales, x) };
    callout.draw(scales.square, view.callout(picture), around);
    handle.draw(scales, x, y, holdOf(controller, view, picture, scales));
  }
}

const curveName = (view: ViewKind) => view.replace("_", "-");

/** Selector of the curve that is drawn. */
export const CURVE = [...VIEW_KINDS.map(curveName), "pooled", "averaged"]
  .map((name) => `.crw-plot [data-testid="${name}"]`)
  .join();

/** The handle and the call-out stand where the point and its text would. */
const STANDING_IN = new Set(["point", "point-text"]);

/** Marks of the large plot, each by the name that tests know. */
function named(marks: readonly Mark[], { shown, group, view }: Picture): Mark[] {
  const name = shown !== null ? curveName(view) : group.folds ? "pooled" : "averaged";
  const names: Record<string, string> = { curve: name, range: `band-${name}`, counts: "score-counts" };
  return marks
    .filter(({ id }) => !STANDING_IN.has(id))
    .map((mark) => ({ ...mark, id: names[mark.id] ?? mark.id.replace(/^comparator-/, "overlay-") }));
}

/** The lowest edge of the bands at a place, and whether one of them falls to the right. */
function edgesBelow(marks: readonly Mark[], scales: Scales, x: number): Pick<Around, "lowest" | "isFalling"> {
  const areas = marks.filter((mark): mark is Area => mark.kind === "area" && mark.fill !== "");
  const edges = areas.flatMap(({ upper, lower }) => [upper, lower]);
  const at = fromX(scales, x);
  return {
    lowest: Math.max(Number.NEGATIVE_INFINITY, ...edges.map((edge) => toY(scales, heightAt(edge, at)))),
    isFalling: edges.some(({ x, y }) => (x[x.length - 1] - x[0]) * (y[y.length - 1] - y[0]) < 0),
  };
}
