import { edgesOf, hasLimits, type Line, observedCurve } from "./band.ts";
import { createBandShape } from "./band_shape.ts";
import { CONFORMAL, isCompared, overlaysOf } from "./comparators.ts";
import type { Controller, Picture } from "./controller.ts";
import { createCross } from "./cross.ts";
import { setVisible, svg } from "./dom.ts";
import { significance } from "./format.ts";
import { pathOf } from "./geometry.ts";
import { createHover, vertexHit } from "./hover.ts";
import { type Leader, LINE_HEIGHT, type PlacedText, placeLabels } from "./labels.ts";
import { createOverlays } from "./overlays.ts";
import { createPointHandle } from "./point_handle.ts";
import { createStage, type PlotSize } from "./stage.ts";
import { LABELS, labelsOf, nounOf, type Run } from "./text.ts";
import type { Evaluation, Pair } from "./wire.ts";

export interface Plot {
  element: HTMLElement;
  drawing: SVGSVGElement;
  draw(picture: Picture, size: PlotSize): void;
}

/** The observed curve of one evaluation, its band, and the operating point. */
export function createPlot(controller: Controller, signal: AbortSignal): Plot {
  const bandLayer = svg("g");
  const overlays = createOverlays();
  const texts = svg("g");
  const curvePath = svg("path", { class: "crw-curve", "data-testid": "roc" });
  const cross = createCross();
  const handle = createPointHandle(controller, signal);
  const hover = createHover(signal);
  const stage = createStage(
    "ROC curve",
    [bandLayer, overlays.element],
    [curvePath, cross.element, texts, hover.mark, handle.element],
  );
  hover.listen(stage);
  const bands = LABELS.map((label) => ({
    label,
    shape: createBandShape(`crw-label${label}`, `band-${nounOf(label)}`, stage.hatch),
  }));
  bandLayer.append(...bands.map(({ shape }) => shape.element));

  let evaluation: Evaluation | null = null;
  let curve: Line;

  return {
    element: stage.element,
    drawing: stage.drawing,
    draw(picture, size) {
      const { frame, band: kind } = picture;
      if (stage.resize(size) || picture.evaluation !== evaluation) {
        evaluation = picture.evaluation;
        curve = observedCurve(evaluation);
        curvePath.setAttribute("d", pathOf(curve, stage.square));
      }
      const { square } = stage;
      stage.drawing.toggleAttribute("data-local", frame.orderStatistics === null);
      const { point } = frame;
      const armless: Pair<boolean> = [!hasLimits(frame, 0), !hasLimits(frame, 1)];
      const shown = picture.hidden.has(CONFORMAL) ? [] : labelsOf(kind);
      const others = overlaysOf(picture).filter(({ item }) => !picture.hidden.has(item.key));
      overlays.draw(others, square);
      const bounded = shown
        .filter((label) => !armless[label])
        .map((label) => ({ label, edges: edgesOf(label, frame, curve) }));
      for (const { label, shape } of bands) {
        setVisible(shape.element, shown.includes(label));
        const edges = bounded.find((band) => band.label === label)?.edges ?? null;
        if (shown.includes(label)) shape.draw(edges, square);
      }
      // What is hatched lies under what has limits.
      if (armless[1] && !armless[0]) bandLayer.prepend(bands[0].shape.element);
      else if (bandLayer.firstChild !== bands[1].shape.element) {
        bandLayer.prepend(bands[1].shape.element);
      }
      cross.draw(square, point, armless);
      handle.draw(square, curve, picture, point);
      const placed = placeLabels({
        square,
        curve,
        bounded,
        unbounded: shown.filter((label) => armless[label]),
        alpha: frame.alpha,
        threshold: frame.threshold,
        point,
        armless,
        auc: picture.evaluation.auc,
        others: others.map(({ item, lines, tone, isOther }) => ({
          name: isOther ? `${item.name}, α ${significance(lines.alpha)}` : item.name,
          upper: { x: item.fpr, y: lines.upper },
          lower: { x: item.fpr, y: lines.lower },
          tone,
        })),
        delong: isCompared(picture) ? picture.comparators.delong : null,
        aucRange: armless[0] || armless[1] ? null : frame.auc,
      });
      texts.replaceChildren(...placed.flatMap(textElements));
      hover.draw(picture.held, (fpr, tpr) => vertexHit(picture.evaluation, frame, curve, fpr, tpr));
    },
  };
}

export function textElements({ lines, anchor, box, leader }: PlacedText): SVGElement[] {
  const x = { start: box.left, middle: (box.left + box.right) / 2, end: box.right }[anchor];
  const texts = lines.map((runs, i) =>
    svg(
      "text",
      { class: "crw-label crw-halo", "text-anchor": anchor, x, y: box.top + (i + 0.75) * LINE_HEIGHT },
      ...runs.map(spanOf),
    ),
  );
  return leader ? [...leaderElements(leader), ...texts] : texts;
}

function spanOf({ text, tone, strong }: Run): SVGElement {
  return svg("tspan", { class: `crw-text-${tone}${strong ? " crw-strong" : ""}` }, text);
}

function leaderElements({ x, from, to, tone }: Leader): SVGElement[] {
  return [
    svg("line", { class: `crw-leader crw-leader-${tone}`, x1: x, y1: from, x2: x, y2: to }),
    svg("circle", { class: `crw-leader crw-leader-${tone}`, cx: x, cy: from, r: 2.5 }),
  ];
}
