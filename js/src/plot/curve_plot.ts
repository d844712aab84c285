import { setAttributes, svg } from "../base/dom.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Evaluation } from "../evaluation/types.ts";
import { type ViewCurve, viewTable } from "../evaluation/view_curves.ts";
import type { Controller } from "../sync/controller.ts";
import type { Picture } from "../sync/view_model.ts";
import { plain, type Run, strong } from "../words/runs.ts";
import {
  AXES,
  baselineText,
  calloutLines,
  type OtherView,
  prevalenceOf,
  rangeLines,
  viewCorner,
  viewKey,
  viewPoint,
  viewPointText,
  viewTitle,
} from "../words/views.ts";
import { createAnnotations } from "./annotations.ts";
import { viewAxes } from "./axes.ts";
import { createBandShape } from "./band_shape.ts";
import { boxOf, coarse, grow, overlap, pathOf, type Square, toX, toY } from "./geometry.ts";
import { createPlotKey } from "./key.ts";
import { createPlotFrame } from "./plot_frame.ts";
import { createPointHandle } from "./point_handle.ts";
import type { Plot } from "./roc_plot.ts";
import { type PlacedText, sizeOf, textAt } from "./text_boxes.ts";
import { fraction, unitCurve } from "./unit_curve.ts";

const CAP = 5;
/** Steps in pixels that matter to texts. */
const ROUGH = 4;
/** A view besides the ROC curve: its curve, its range, and the operating point that runs along it. */
export function createCurvePlot(view: OtherView, controller: Controller, signal: AbortSignal): Plot {
  const isOverScores = view === "reliability";
  const band = createBandShape("crw-neutral", `band-${view.replace("_", "-")}`);
  const baseline = svg("path", { class: "crw-baseline" });
  const counts = svg("path", { class: "crw-score-counts", "data-testid": "score-counts" });
  const cut = svg("path", { class: "crw-reading" });
  const curvePath = svg("path", { class: "crw-curve", "data-testid": view.replace("_", "-") });
  const upright = svg("path", { class: "crw-arm crw-neutral" });
  const level = svg("path", { class: "crw-arm crw-label1" });
  const texts = createAnnotations();
  const handle = createPointHandle(controller, signal);
  const clipped = svg("g", {}, band.element, counts, baseline, cut, curvePath);
  let table = viewTable(view, 0.5);
  const plotFrame = createPlotFrame(
    viewTitle(view),
    [],
    [clipped, svg("g", { class: "crw-cross" }, level, upright), texts.element, handle.element],
    (square) => viewAxes(square, AXES[view], table),
  );
  plotFrame.clip(clipped);
  const key = createPlotKey();
  plotFrame.element.append(key.element);
  let drawn: ViewCurve | null = null;
  const choices: Choices = { taken: new Map(), isHeld: false };
  let chosenFor: Evaluation | null = null;
  let unit: ViewCurve;
  /** Its lines as texts keep clear of them. */
  let rough: ViewCurve;

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
        band.draw(unit.edges, [true, true], square);
        setAttributes(curvePath, { d: pathOf(unit.line, square) });
        setAttributes(baseline, { d: pathOf(unit.baseline, square) });
        if (isOverScores) setAttributes(counts, { d: pathOf(unit.counts, square) });
        const { upper, lower } = unit.edges;
        rough = {
          ...unit,
          line: coarse(unit.line, square, ROUGH),
          edges: { upper: coarse(upper, square, ROUGH), lower: coarse(lower, square, ROUGH) },
        };
      }
      const at = viewPoint(picture, view);
      const [x, y, lower, upper] = [
        fraction(at.x, table.across),
        ...[at.y, at.lower, at.upper].map((value) => fraction(value, table.up)),
      ];
      const [px, low, high] = [toX(square, x), toY(square, lower), toY(square, upper)];
      // An end beyond the axis has no cap.
      const caps = [at.lower, at.upper]
        .filter((value) => value >= table.up[0] && value <= table.up[1])
        .map((value) => `M${px - CAP} ${toY(square, fraction(value, table.up))}h${2 * CAP}`);
      setAttributes(upright, { d: `M${px} ${low}V${high}${caps.join("")}` });
      if (isOverScores) setAttributes(cut, { d: `M${px} ${toY(square, 0)}V${toY(square, 1)}` });
      const { tprLower, tprUpper } = frame.point;
      const py = toY(square, y);
      const [from, to] = [toX(square, tprLower), toX(square, tprUpper)];
      const hasLevel = view === "precision_recall" && picture.band !== "specificity";
      setAttributes(level, {
        d: hasLevel ? `M${from} ${py}H${to}M${from} ${py - CAP}v${2 * CAP}M${to} ${py - CAP}v${2 * CAP}` : "",
      });
      const position = { x, y, text: viewPointText(picture, view) };
      handle.draw(square, unit.track, picture, frame.point, position);
      if (isOtherFrame || picture.evaluation !== chosenFor) choices.taken.clear();
      chosenFor = picture.evaluation;
      choices.isHeld = picture.held;
      texts.draw(placed(picture, view, square, rough, { x, y }, size.hasKey ? null : choices));
      key.draw(size.hasKey ? viewKey(picture, view) : null);
    },
  };
}

const GAP = 14;
/** The band's name stands clear of the counts along the axis. */
const ABOVE_COUNTS = 32;

/** Which of its candidates each caption has taken; -1 for none. A caption keeps it while it meets nothing, or a hand holds a control. */
interface Choices {
  taken: Map<string, number>;
  isHeld: boolean;
}

type Candidate = { x: number; top: number; anchor: PlacedText["anchor"] };

/** What a text costs that must not be drawn, and that crosses the curve. */
const FORBIDDEN = 100;
const CROSSES_CURVE = 20;

/** The corner's number, the base line's name, the callout and the name of the band, each where lines leave room. */
function placed(
  picture: Picture,
  view: OtherView,
  square: Square,
  { line, edges, baseline }: ViewCurve,
  at: { x: number; y: number },
  choices: Choices | null,
): PlacedText[] {
  const { left, right, top, bottom } = boxOf(square);
  const [x, y] = [toX(square, at.x), toY(square, at.y)];
  const texts: PlacedText[] = [];

  /** The texts, points of the curve and edges that a text meets. */
  function costOf({ box }: PlacedText): number {
    const isOutside = box.left < left || box.right > right || box.top < top || box.bottom > bottom;
    const met = texts.filter((other) => overlap(grow(other.box, 4), box)).length;
    const passes = (of: Line) => passesThrough(of, square, grow(box, 3));
    const point = { left: x - 12, right: x + 12, top: y - 12, bottom: y + 12 };
    return (
      (isOutside ? 10 * FORBIDDEN : 0) +
      FORBIDDEN * met +
      (overlap(point, box) ? FORBIDDEN / 2 : 0) +
      (passes(line) ? CROSSES_CURVE : 0) +
      (passes(edges.upper) ? 3 : 0) +
      (passes(edges.lower) ? 3 : 0) +
      (passes(baseline) ? 2 : 0)
    );
  }

  /** The candidate that costs least, if any may be drawn. */
  function add(lines: Run[][], candidates: Candidate[]): number {
    const costs = candidates.map((each) => costOf(textAt(lines, each)));
    const best = costs.indexOf(Math.min(...costs));
    if (costs[best] >= FORBIDDEN) return -1;
    texts.push(textAt(lines, candidates[best]));
    return best;
  }

  const corner = viewCorner(picture, view);
  if (corner) {
    const lines = [[strong(corner)]];
    const ends = textAt(lines, { x: right - 6, top: top + 6, anchor: "end" });
    // The curve alone decides: nothing that moves under a hand takes the number along.
    const isFree = !passesThrough(line, square, grow(ends.box, 3));
    texts.push(isFree ? ends : textAt(lines, { x: left + 6, top: bottom - 22, anchor: "start" }));
  }
  const captions = choices ? captionsOf(picture, view, square, baseline) : [];
  const kept = captions.filter(({ name, lines, candidates }) => {
    const index = choices?.taken.get(name);
    if (index === undefined) return false;
    if (index < 0) return choices?.isHeld;
    const text = textAt(lines, candidates[index]);
    if (!choices?.isHeld && costOf(text) >= CROSSES_CURVE) return false;
    texts.push(text);
    return true;
  });
  const callout = calloutLines(picture, view);
  const { height } = sizeOf(callout);
  add(
    callout,
    ([y + GAP, y - GAP - height, y - height / 2] as const).flatMap((at) => [
      { x: x + GAP, top: at, anchor: "start" as const },
      { x: x - GAP, top: at, anchor: "end" as const },
    ]),
  );
  for (const caption of captions) {
    if (!kept.includes(caption)) choices?.taken.set(caption.name, add(caption.lines, caption.candidates));
  }
  return texts;
}

function captionsOf(
  picture: Picture,
  view: OtherView,
  square: Square,
  baseline: Line,
): { name: string; lines: Run[][]; candidates: Candidate[] }[] {
  const { left, right, top, bottom } = boxOf(square);
  const middle = baseline.x.findIndex((_, i) => baseline.y[i] < (view === "net_benefit" ? 0.45 : 2));
  const atX = view === "reliability" ? 0.12 : Math.max(baseline.x[Math.max(middle, 0)], 0.02);
  const atY = view === "reliability" ? 0.12 : baseline.y[Math.max(middle, 0)];
  const [nx, ny] = [toX(square, atX) + 6, toY(square, atY)];
  const range = rangeLines(picture, view);
  const tall = sizeOf(range).height;
  return [
    {
      name: "baseline",
      lines: [[plain(baselineText(picture, view), "muted")]],
      candidates: [ny - 18, ny + 3].map((at) => ({ x: nx, top: at, anchor: "start" as const })),
    },
    {
      name: "range",
      lines: range,
      candidates: [bottom - tall - ABOVE_COUNTS, bottom - tall - 60, top + 34, top + 90].flatMap((at) => [
        { x: left + 12, top: at, anchor: "start" as const },
        { x: right - 12, top: at, anchor: "end" as const },
      ]),
    },
  ];
}

/** Whether a line passes through a box: at one of its points, or between two. */
function passesThrough(
  line: Line,
  square: Square,
  box: { left: number; right: number; top: number; bottom: number },
) {
  for (let i = 1; i < line.x.length; i++) {
    const [x0, x1] = [toX(square, line.x[i - 1]), toX(square, line.x[i])];
    const [y0, y1] = [toY(square, line.y[i - 1]), toY(square, line.y[i])];
    const meets =
      Math.min(x0, x1) < box.right &&
      Math.max(x0, x1) > box.left &&
      Math.min(y0, y1) < box.bottom &&
      Math.max(y0, y1) > box.top;
    if (meets) return true;
  }
  return false;
}
