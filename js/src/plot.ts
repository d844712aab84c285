import { axes } from "./axes.ts";
import {
  type Edges,
  hasLimits,
  type Line,
  observedCurve,
  operatingPointAt,
  outline,
  sensitivityEdges,
  specificityEdges,
} from "./band.ts";
import type { Controller, Picture } from "./controller.ts";
import { createCross } from "./cross.ts";
import { setAttributes, setVisible, svg, uniqueId } from "./dom.ts";
import { pathOf, type Square } from "./geometry.ts";
import { type Leader, LINE_HEIGHT, type PlacedText, placeLabels } from "./labels.ts";
import { createPointHandle } from "./point.ts";
import { LABELS, type Label, labelsOf, nounOf, type Run } from "./text.ts";
import type { Evaluation, Frame, Pair } from "./wire.ts";

/** Side of the square, and the room beside it for ticks. */
export interface PlotSize {
  size: number;
  left: number;
  right: number;
}

export interface Plot {
  element: SVGSVGElement;
  draw(picture: Picture, size: PlotSize): void;
}

const TOP = 26;
const BOTTOM = 42;
const HATCH_PITCH = 8;

export function createPlot(controller: Controller, signal: AbortSignal): Plot {
  const hatch = uniqueId("crw-hatch");
  const back = svg("g");
  const front = svg("g");
  const texts = svg("g");
  const bands = LABELS.map((label) => createBand(label, `url(#${hatch})`));
  const bandLayer = svg("g");
  const curvePath = svg("path", { class: "crw-curve", "data-testid": "roc" });
  const cross = createCross();
  const handle = createPointHandle(controller, signal);
  const element = svg(
    "svg",
    { class: "crw-plot", "data-testid": "plot", role: "group", "aria-label": "ROC curve" },
    svg("defs", {}, hatchPattern(hatch)),
    back,
    bandLayer,
    front,
    curvePath,
    cross.element,
    texts,
    handle.element,
  );

  let square: Square = { x0: 0, y0: 0, size: 0 };
  let evaluation: Evaluation | null = null;
  let curve: Line;

  /** True if the plot has another size than before. */
  function resize({ size, left, right }: PlotSize): boolean {
    if (size === square.size && left === square.x0) return false;
    square = { x0: left, y0: TOP + size, size };
    setAttributes(element, {
      width: left + size + right,
      height: TOP + size + BOTTOM,
      "data-x0": square.x0,
      "data-y0": square.y0,
      "data-size": size,
    });
    const parts = axes(square);
    back.replaceChildren(...parts.back);
    front.replaceChildren(...parts.front);
    return true;
  }

  return {
    element,
    draw(picture, size) {
      const { frame, wanted } = picture;
      if (resize(size) || picture.evaluation !== evaluation) {
        evaluation = picture.evaluation;
        curve = observedCurve(evaluation);
        curvePath.setAttribute("d", pathOf(curve, square));
      }
      const point = operatingPointAt(picture.evaluation, frame, wanted.threshold);
      const armless: Pair<boolean> = [!hasLimits(frame, 0), !hasLimits(frame, 1)];
      const shown = labelsOf(picture.band);
      const bounded = shown
        .filter((label) => !armless[label])
        .map((label) => ({ label, edges: edgesOf(label, picture.evaluation, frame, curve) }));
      for (const band of bands) {
        const edges = bounded.find(({ label }) => label === band.label)?.edges ?? null;
        band.draw(square, shown.includes(band.label), edges);
        if (edges) bandLayer.append(band.element);
        else bandLayer.prepend(band.element);
      }
      cross.draw(square, point, armless);
      handle.draw(square, curve, picture, point);
      const placed = placeLabels({
        square,
        curve,
        bounded,
        unbounded: shown.filter((label) => armless[label]),
        alpha: frame.alpha,
        threshold: wanted.threshold,
        point,
        armless,
        auc: picture.evaluation.auc,
        aucRange: armless[0] || armless[1] ? null : frame.auc,
      });
      texts.replaceChildren(...placed.flatMap(textElements));
    },
  };
}

function edgesOf(label: Label, evaluation: Evaluation, frame: Frame, curve: Line): Edges {
  return (label === 1 ? sensitivityEdges : specificityEdges)(evaluation, frame, curve);
}

const WHOLE_SQUARE: Edges = {
  upper: { x: Float64Array.of(0, 1), y: Float64Array.of(1, 1) },
  lower: { x: Float64Array.of(0, 1), y: Float64Array.of(0, 0) },
};

function createBand(label: Label, hatch: string) {
  const fill = svg("path", { "data-testid": `band-${nounOf(label)}` });
  const edge = svg("path", { class: `crw-edge crw-label${label}` });
  const element = svg("g", {}, fill, edge);
  return {
    label,
    element,
    /** Without edges the band has no limits, and the whole square is hatched. */
    draw(square: Square, visible: boolean, edges: Edges | null) {
      setVisible(element, visible);
      if (!visible) return;
      setAttributes(fill, {
        class: edges ? `crw-band crw-label${label}` : "crw-no-limits",
        fill: edges ? "" : hatch,
        d: `${pathOf(outline(edges ?? WHOLE_SQUARE), square)}Z`,
      });
      edge.setAttribute("d", edges ? pathOf(edges.upper, square) + pathOf(edges.lower, square) : "");
    },
  };
}

/** Lines at right angles to the chance line, so that no one takes them for it. */
function hatchPattern(id: string): SVGElement {
  return svg(
    "pattern",
    {
      id,
      width: HATCH_PITCH,
      height: HATCH_PITCH,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(-45)",
    },
    svg("line", { class: "crw-hatch-line", x1: 0, y1: 0, x2: 0, y2: HATCH_PITCH }),
  );
}

function textElements({ lines, anchor, box, leader }: PlacedText): SVGElement[] {
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
