import { setAttributes, setVisible, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import { arcOf } from "../evaluation/arc.ts";
import { type Edges, edgesOf } from "../evaluation/curve_lines.ts";
import { type Line, observedCurve } from "../evaluation/observed_curve.ts";
import { type Evaluation, LABELS, type Label } from "../evaluation/types.ts";
import { BOTH, type Sides, sidesOf } from "../evaluation/vacuous.ts";
import { showsArc } from "../sync/arc.ts";
import { laidComparators, limitsAt, sampledBy } from "../sync/comparators.ts";
import type { Controller } from "../sync/controller.ts";
import { cutsOf, hasCuts } from "../sync/cuts.ts";
import type { Picture } from "../sync/view_model.ts";
import { nounOf } from "../words/one_evaluation.ts";
import { calloutOf, cornerOf, drawnLabels } from "../words/plot_words.ts";
import { comparatorTone } from "../words/runs.ts";
import { createArc } from "./arc.ts";
import { axes, chanceLine, ROC_TITLES, UNIT } from "./axes.ts";
import { createBandShape } from "./band_shape.ts";
import { createCallout } from "./callout.ts";
import { createComparatorLines } from "./comparator_lines.ts";
import { createErrorBars } from "./error_bars.ts";
import { pathOf, type Square, toX, toY } from "./geometry.ts";
import { createHover, vertexHit } from "./hover.ts";
import { createIdealBand, idealArm } from "./ideal_band.ts";
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

/** How many colours and dashes there are for classifiers; a ninth begins again. */
export const SERIES = 8;

/** The observed curve of one evaluation, its band, and the operating point; curves of others beside it. */
export function createPlot(
  controller: Controller,
  onBand: (isOn: boolean) => void,
  signal: AbortSignal,
): Plot {
  const overlays = createComparatorLines();
  const others = createOthers();
  const callout = createCallout();
  const curvePath = svg("path", { class: "crw-curve", "data-testid": "roc" });
  const cross = createErrorBars();
  const handle = createPointHandle(controller, signal);
  const hover = createHover(signal);
  const sameCost = createSameCost();
  const clipped = svg("g", {}, sameCost.line);
  const arc = createArc();
  const ideal = createIdealBand();
  const sampling = createBandShape("crw-sampled", "band-sampling");
  const bands = LABELS.map((label) => ({
    label,
    shape: createBandShape(`crw-label${label}`, `band-${nounOf(label)}`, true),
  }));
  const bandLayer = svg("g", {}, ...bands.map(({ shape }) => shape.element));
  const chance = svg("g");
  const plotFrame = createPlotFrame(
    "ROC curve",
    [
      ...[bandLayer, sampling.element, ideal.element, overlays.element, clipped, chance, others.element],
      ...[
        curvePath,
        sameCost.diamond,
        cross.element,
        arc.element,
        callout.element,
        hover.mark,
        handle.element,
      ],
    ],
    (square) => axes(square, ROC_TITLES, { across: UNIT, up: UNIT }),
  );
  plotFrame.clip(clipped);
  hover.listen(plotFrame);
  for (const { element } of [...bands.map(({ shape }) => shape), sampling]) {
    element.addEventListener("pointerenter", () => onBand(true), { signal });
    element.addEventListener("pointerleave", () => onBand(false), { signal });
  }

  let evaluation: Evaluation | null = null;
  let curve: Line;

  return {
    element: plotFrame.element,
    drawing: plotFrame.drawing,
    draw(picture, size) {
      const { frame, page, held } = picture;
      const { point } = frame;
      if (plotFrame.resize(size) || picture.evaluation !== evaluation) {
        evaluation = picture.evaluation;
        curve = observedCurve(evaluation);
        curvePath.setAttribute("d", pathOf(curve, plotFrame.square));
        chance.replaceChildren(chanceLine(plotFrame.square));
      }
      const { square } = plotFrame;
      plotFrame.drawing.toggleAttribute("data-local", frame.orderStatistics === null);
      const sides: Pair<Sides> = [sidesOf(frame, 0), sidesOf(frame, 1)];
      const isArc = showsArc(picture) && drawnLabels(picture).length > 0;
      const line = isArc ? arcOf(curve, point) : null;
      arc.draw(square, line && { line, point }, frame.notes.length > 0);
      const drawn = isArc ? [] : drawnLabels(picture);
      const lower: Edges["lower"][] = [];
      for (const { label, shape } of bands) {
        const isDrawn = drawn.includes(label);
        setVisible(shape.element, isDrawn);
        if (!isDrawn) continue;
        const edges = edgesOf(label, frame, curve);
        shape.draw(edges, edgeSides(label, sides[label]), square, held);
        lower.push(edges.lower);
      }
      // A hatched band lies under one with limits.
      const isWhole = (label: Label) => sides[label][0] && sides[label][1];
      const [first, second] = isWhole(1) || !isWhole(0) ? bands : bands.toReversed();
      if (bandLayer.firstChild !== first.shape.element) {
        bandLayer.replaceChildren(first.shape.element, second.shape.element);
      }
      const own = picture.ideal !== null && typeof picture.ideal !== "string" ? picture.ideal : null;
      ideal.draw(own, square, held);
      if (own) lower.push(own.lower);
      const sampled = picture.band === "sampling" ? sampledBy(picture) : undefined;
      setVisible(sampling.element, sampled !== undefined);
      if (sampled) {
        const { item, lines } = sampled;
        const edges = { upper: { x: item.fpr, y: lines.upper }, lower: { x: item.fpr, y: lines.lower } };
        setAttributes(sampling.element, { class: `crw-${comparatorTone(item.key)}` });
        sampling.draw(edges, BOTH, square, held);
        lower.push(edges.lower);
        const [tprLower, tprUpper] = limitsAt(sampled, point.fpr);
        cross.draw(square, { ...point, tprLower, tprUpper }, [BOTH, BOTH], [1], comparatorTone(item.key));
      } else {
        cross.draw(square, own ? idealArm(own, point) : point, own ? [BOTH, BOTH] : sides, own ? [1] : drawn);
      }
      const laidOver = picture.band === "sampling" || own ? [] : laidComparators(picture);
      overlays.draw(
        laidOver.filter(({ item }) => !page.hidden.includes(item.key)),
        square,
      );
      others.draw(picture, square);
      sameCost.draw(picture, square);
      const at = { x: toX(square, point.fpr), y: toY(square, point.tpr) };
      callout.draw(square, at, calloutOf(picture), lower);
      callout.drawCorner(square, cornerOf(picture));
      handle.draw(square, curve, picture, point);
      hover.draw(held, (fpr, tpr) => vertexHit(picture.evaluation, frame, curve, fpr, tpr));
    },
  };
}

/** The curves of the other classifiers with their points, or the edges of the other bands around one curve. */
function createOthers() {
  const element = svg("g", { class: "crw-others", "data-testid": "cut-points" });
  let marks: { line: SVGPathElement; point: SVGCircleElement }[] = [];
  let drawn: [Picture["group"], Square] | null = null;
  return {
    element,
    draw(picture: Picture, square: Square) {
      const { group, shown, frames } = picture;
      setVisible(element, hasCuts(group) || group.kind === "bands");
      if (element.hasAttribute("hidden")) return;
      const isOther = drawn?.[0] !== group || drawn[1] !== square;
      if (isOther) {
        drawn = [group, square];
        marks = group.entries.map((entry, i) => ({
          line: svg("path", {
            class: `crw-curve crw-series crw-series${i % SERIES}`,
            "data-testid": `curve-${i}`,
            d: hasCuts(group) ? pathOf(observedCurve(entry), square) : "",
          }),
          point: svg("circle", { class: `crw-cut crw-series${i % SERIES}`, r: 5 }),
        }));
        element.replaceChildren(...marks.flatMap(({ line, point }) => [line, point]));
      }
      const cuts = hasCuts(group) ? cutsOf(picture) : [];
      marks.forEach(({ line, point }, i) => {
        const isLookedAt = i === shown;
        setVisible(line, !isLookedAt);
        setVisible(point, !isLookedAt && cuts.length > 0);
        if (isLookedAt) return;
        if (cuts.length > 0) {
          const { fpr, tpr } = cuts[i].point;
          setAttributes(point, { cx: toX(square, fpr), cy: toY(square, tpr) });
        } else {
          const { upper, lower } = edgesOf(1, frames[i], observedCurve(group.entries[i]));
          setAttributes(line, { d: pathOf(upper, square) + pathOf(lower, square) });
        }
      });
    },
  };
}
