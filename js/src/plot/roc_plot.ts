import { setVisible, svg } from "../base/dom.ts";
import { significance } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { arcOf } from "../evaluation/arc.ts";
import { edgesOf } from "../evaluation/curve_lines.ts";
import { type Line, observedCurve } from "../evaluation/observed_curve.ts";
import { type Evaluation, LABELS, type Label } from "../evaluation/types.ts";
import { BOTH, type Sides, sidesOf } from "../evaluation/vacuous.ts";
import { showsArc } from "../sync/arc.ts";
import { CONFORMAL, drawnComparators, isCompared, TRUTH } from "../sync/comparators.ts";
import type { Controller } from "../sync/controller.ts";
import type { Picture } from "../sync/view_model.ts";
import { labelsOf, missingLines, modelOf, nounOf } from "../words/one_evaluation.ts";
import { rocKey } from "../words/plot_key.ts";
import { comparatorTone } from "../words/runs.ts";
import { createAnnotations } from "./annotations.ts";
import { createArc } from "./arc.ts";
import { createBandShape } from "./band_shape.ts";
import { createCaptionPlaces } from "./caption_places.ts";
import { createComparatorLines } from "./comparator_lines.ts";
import { createErrorBars } from "./error_bars.ts";
import { pathOf } from "./geometry.ts";
import { createHover, vertexHit } from "./hover.ts";
import { createIdealBand, idealArm, idealTexts } from "./ideal_band.ts";
import { createPlotKey } from "./key.ts";
import { placeAnnotations } from "./place_annotations.ts";
import { placeArcTexts } from "./place_arc.ts";
import { createPlotFrame, type PlotSize } from "./plot_frame.ts";
import { createPointHandle } from "./point_handle.ts";
import { createSameCost } from "./same_cost.ts";

export interface Plot {
  element: HTMLElement;
  drawing: SVGSVGElement;
  draw(picture: Picture, size: PlotSize): void;
}

/** The upper edge of the horizontal band is the lower limit of the FPR. */
const edgeSides = (label: Label, [lower, upper]: Sides): Sides =>
  label === 1 ? [lower, upper] : [upper, lower];

/** The observed curve of one evaluation, its band, and the operating point. */
export function createPlot(controller: Controller, signal: AbortSignal): Plot {
  const bandLayer = svg("g");
  const overlays = createComparatorLines();
  const texts = createAnnotations();
  const places = createCaptionPlaces();
  const curvePath = svg("path", { class: "crw-curve", "data-testid": "roc" });
  const cross = createErrorBars();
  const handle = createPointHandle(controller, signal);
  const hover = createHover(signal);
  const sameCost = createSameCost();
  const clipped = svg("g", {}, sameCost.line);
  const plotFrame = createPlotFrame(
    "ROC curve",
    [bandLayer, overlays.element, clipped],
    [curvePath, sameCost.diamond, cross.element, texts.element, hover.mark, handle.element],
  );
  plotFrame.clip(clipped);
  const arc = createArc();
  plotFrame.drawing.insertBefore(arc.element, texts.element);
  hover.listen(plotFrame);
  const bands = LABELS.map((label) => ({
    label,
    shape: createBandShape(`crw-label${label}`, `band-${nounOf(label)}`, true),
  }));
  const ideal = createIdealBand();
  const key = createPlotKey();
  plotFrame.element.append(key.element);
  bandLayer.append(...bands.map(({ shape }) => shape.element));
  plotFrame.drawing.insertBefore(ideal.element, curvePath);

  let evaluation: Evaluation | null = null;
  let curve: Line;

  return {
    element: plotFrame.element,
    drawing: plotFrame.drawing,
    draw(picture, size) {
      const { frame, band: kind } = picture;
      if (plotFrame.resize(size) || picture.evaluation !== evaluation) {
        if (picture.evaluation !== evaluation) places.forget();
        evaluation = picture.evaluation;
        curve = observedCurve(evaluation);
        curvePath.setAttribute("d", pathOf(curve, plotFrame.square));
      }
      const { square } = plotFrame;
      plotFrame.drawing.toggleAttribute("data-local", frame.orderStatistics === null);
      const { point } = frame;
      const sides: Pair<Sides> = [sidesOf(frame, 0), sidesOf(frame, 1)];
      const isWhole = (label: Label) => sides[label][0] && sides[label][1];
      const isArc = showsArc(picture);
      const line = isArc ? arcOf(curve, point) : null;
      arc.draw(square, line && { line, point }, frame.notes.length > 0);
      const own = typeof picture.ideal === "string" ? null : picture.ideal;
      ideal.draw(own, square, picture.held);
      setVisible(cross.element, !isArc && (picture.ideal === null || own !== null));
      const shown =
        isArc || picture.ideal !== null || picture.page.hidden.includes(CONFORMAL) ? [] : labelsOf(kind);
      const others = drawnComparators(picture).filter(({ item }) => !picture.page.hidden.includes(item.key));
      overlays.draw(others, square);
      sameCost.draw(picture, square);
      const edges = shown.map((label) => ({ label, edges: edgesOf(label, frame, curve) }));
      for (const { label, shape } of bands) {
        const band = edges.find((each) => each.label === label);
        setVisible(shape.element, band !== undefined);
        if (band) shape.draw(band.edges, edgeSides(label, sides[label]), square, picture.held);
      }
      // A hatched band lies under one with limits.
      if (!isWhole(1) && isWhole(0)) bandLayer.prepend(bands[0].shape.element);
      else if (bandLayer.firstChild !== bands[1].shape.element) {
        bandLayer.prepend(bands[1].shape.element);
      }
      if (own) cross.drawUpright(square, idealArm(own, point));
      else cross.draw(square, point, sides);
      handle.draw(square, curve, picture, point);
      const drawn = {
        bounded: own ? [{ label: 1 as const, edges: own }] : edges.filter(({ label }) => isWhole(label)),
        lacking: shown
          .filter((label) => !isWhole(label))
          .map((label) => ({ label, words: missingLines(picture.evaluation, frame, label) })),
        model: modelOf(frame),
        others: others.map(({ item, lines, isOther }) => ({
          name: isOther ? `${item.name}, α ${significance(lines.alpha)}` : item.name,
          of: item.key === TRUTH ? "at the same threshold" : "population",
          upper: { x: item.fpr, y: lines.upper },
          lower: { x: item.fpr, y: lines.lower },
          tone: comparatorTone(item.key),
        })),
      };
      places.begin(square, picture.held);
      const placed = line
        ? placeArcTexts(square, curve, line, picture, size.hasKey ? null : places)
        : placeAnnotations(
            {
              ...drawn,
              square,
              curve,
              ...idealTexts(picture),
              alpha: frame.alpha,
              threshold: frame.threshold,
              point: own ? idealArm(own, point) : point,
              sides: own ? [BOTH, BOTH] : sides,
              auc: picture.evaluation.auc,
              delong: isCompared(picture) ? picture.comparators.delong : null,
              hasKey: size.hasKey,
            },
            places,
          );
      const named = others.map(({ item }) => ({ name: item.name, tone: comparatorTone(item.key) }));
      key.draw(size.hasKey ? rocKey({ ...drawn, others: named, isOwn: own !== null }) : null);
      texts.draw(placed);
      hover.draw(picture.held, (fpr, tpr) => vertexHit(picture.evaluation, frame, curve, fpr, tpr));
    },
  };
}
