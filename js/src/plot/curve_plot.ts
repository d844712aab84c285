import { setAttributes, svg } from "../base/dom.ts";
import { BOTH } from "../evaluation/vacuous.ts";
import { type ViewCurve, viewTable } from "../evaluation/view_curves.ts";
import type { Controller } from "../sync/controller.ts";
import { calloutOf, cornerOf } from "../words/plot_words.ts";
import { AXES, type OtherView, prevalenceOf, VIEW_NAMES, viewPoint, viewPointText } from "../words/views.ts";
import { axes } from "./axes.ts";
import { createBandShape } from "./band_shape.ts";
import { createCallout } from "./callout.ts";
import { pathOf, toX, toY } from "./geometry.ts";
import { createPlotFrame } from "./plot_frame.ts";
import { createPointHandle } from "./point_handle.ts";
import type { Plot } from "./roc_plot.ts";
import { fraction, unitCurve } from "./unit_curve.ts";

const CAP = 5;

/** A view besides the ROC curve: its curve, its range, and the operating point that runs along it. */
export function createCurvePlot(view: OtherView, controller: Controller, signal: AbortSignal): Plot {
  const isOverScores = view === "reliability";
  const band = createBandShape("crw-neutral", `band-${view.replace("_", "-")}`);
  const baseline = svg("path", { class: "crw-baseline" });
  const counts = svg("path", { class: "crw-score-counts", "data-testid": "score-counts" });
  const cut = svg("path", { class: "crw-reading" });
  const curvePath = svg("path", { class: "crw-curve", "data-testid": view.replace("_", "-") });
  const arm = svg("path", { class: "crw-arm crw-neutral" });
  const callout = createCallout();
  const handle = createPointHandle(controller, signal);
  const clipped = svg("g", {}, band.element, counts, baseline, cut, curvePath);
  let table = viewTable(view, 0.5);
  const plotFrame = createPlotFrame(
    VIEW_NAMES[view],
    [clipped, svg("g", { class: "crw-cross" }, arm), callout.element, handle.element],
    (square) => axes(square, AXES[view], table),
  );
  plotFrame.clip(clipped);
  let drawn: ViewCurve | null = null;
  let unit: ViewCurve;

  return {
    element: plotFrame.element,
    drawing: plotFrame.drawing,
    draw(picture, size) {
      const { evaluation, frame } = picture;
      const prevalence = prevalenceOf(picture);
      const next = viewTable(view, prevalence);
      const isOtherScale = next.up[0] !== table.up[0] || next.up[1] !== table.up[1];
      table = next;
      const isOtherFrame = plotFrame.resize(size, isOtherScale) || isOtherScale;
      const { square } = plotFrame;
      const curve = table.curve(evaluation, frame, prevalence);
      if (curve !== drawn || isOtherFrame) {
        drawn = curve;
        unit = unitCurve(curve, table);
        band.draw(unit.edges, BOTH, square);
        setAttributes(curvePath, { d: pathOf(unit.line, square) });
        setAttributes(baseline, { d: pathOf(unit.baseline, square) });
        if (isOverScores) setAttributes(counts, { d: pathOf(unit.counts, square) });
      }
      const at = viewPoint(picture, view);
      const [x, y, lower, upper] = [
        fraction(at.x, table.across),
        ...[at.y, at.lower, at.upper].map((value) => fraction(value, table.up)),
      ];
      const [px, py] = [toX(square, x), toY(square, y)];
      // An end beyond the axis has no cap.
      const caps = [at.lower, at.upper]
        .filter((value) => value >= table.up[0] && value <= table.up[1])
        .map((value) => `M${px - CAP} ${toY(square, fraction(value, table.up))}h${2 * CAP}`);
      setAttributes(arm, { d: `M${px} ${toY(square, lower)}V${toY(square, upper)}${caps.join("")}` });
      if (isOverScores) setAttributes(cut, { d: `M${px} ${toY(square, 0)}V${toY(square, 1)}` });
      handle.draw(square, unit.track, picture, frame.point, { x, y, text: viewPointText(picture, view) });
      callout.draw(square, { x: px, y: py }, calloutOf(picture), [unit.edges.lower], !isOverScores);
      callout.drawCorner(square, cornerOf(picture), true);
    },
  };
}
