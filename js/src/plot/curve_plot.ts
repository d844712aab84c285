import { setAttributes, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import { type ViewCurve, viewTable } from "../evaluation/view_curves.ts";
import type { Controller } from "../sync/controller.ts";
import type { Picture } from "../sync/view_model.ts";
import { plain, type Run, strong } from "../words/runs.ts";
import {
  AXES,
  BASELINES,
  calloutLines,
  type OtherView,
  prevalenceOf,
  rangeLines,
  viewCorner,
  viewPoint,
  viewPointText,
  viewTitle,
} from "../words/views.ts";
import { createAnnotations } from "./annotations.ts";
import { createBandShape } from "./band_shape.ts";
import { boxOf, coarse, grow, overlap, pathOf, type Square, toX, toY } from "./geometry.ts";
import { createPlotFrame } from "./plot_frame.ts";
import { createPointHandle } from "./point_handle.ts";
import type { Plot } from "./roc_plot.ts";
import { type PlacedText, sizeOf, textAt } from "./text_boxes.ts";
import { viewAxes } from "./view_axes.ts";

const CAP = 5;
/** Steps in pixels that matter to texts. */
const ROUGH = 4;
/** So far beyond the axes, in their lengths, lines are drawn; the plot clips them at its edge. */
const BEYOND = 1;

/** A view besides the ROC curve: its curve, its range, and the operating point that runs along it. */
export function createCurvePlot(view: OtherView, controller: Controller, signal: AbortSignal): Plot {
  const band = createBandShape("crw-neutral", `band-${view.replace("_", "-")}`);
  const baseline = svg("path", { class: "crw-baseline" });
  const curvePath = svg("path", { class: "crw-curve", "data-testid": view.replace("_", "-") });
  const upright = svg("path", { class: "crw-arm crw-neutral" });
  const level = svg("path", { class: "crw-arm crw-label1" });
  const texts = createAnnotations();
  const handle = createPointHandle(controller, signal);
  const clipped = svg("g", {}, band.element, baseline, curvePath);
  let table = viewTable(view, 0.5);
  const plotFrame = createPlotFrame(
    viewTitle(view),
    [],
    [clipped, svg("g", { class: "crw-cross" }, level, upright), texts.element, handle.element],
    (square) => viewAxes(square, AXES[view], table),
  );
  plotFrame.clip(clipped);
  let drawn: ViewCurve | null = null;
  let unit: ViewCurve;
  /** Its lines as texts keep clear of them. */
  let rough: ViewCurve;

  /** Lines in fractions of the axes. */
  function toUnit({ line, edges, track, baseline: flat }: ViewCurve): ViewCurve {
    const [x, y] = [table.across, table.up].map(
      ([low, high]) =>
        (value: number) =>
          clamp((value - low) / (high - low), -BEYOND, 1 + BEYOND),
    );
    const scaled = (of: Line): Line => ({ x: of.x.map(x), y: of.y.map(y) });
    return {
      line: scaled(line),
      edges: { upper: scaled(edges.upper), lower: scaled(edges.lower) },
      track: scaled(track),
      baseline: scaled(flat),
    };
  }

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
        unit = toUnit(curve);
        band.draw(unit.edges, [true, true], square);
        setAttributes(curvePath, { d: pathOf(unit.line, square) });
        setAttributes(baseline, { d: pathOf(unit.baseline, square) });
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
      const { tprLower, tprUpper } = frame.point;
      const py = toY(square, y);
      const [from, to] = [toX(square, tprLower), toX(square, tprUpper)];
      const hasLevel = view === "precision_recall" && picture.band !== "specificity";
      setAttributes(level, {
        d: hasLevel ? `M${from} ${py}H${to}M${from} ${py - CAP}v${2 * CAP}M${to} ${py - CAP}v${2 * CAP}` : "",
      });
      const position = { x, y, text: viewPointText(picture, view) };
      handle.draw(square, unit.track, picture, frame.point, position);
      texts.draw(placed(picture, view, square, rough, { x, y }));
    },
  };
}

const fraction = (value: number, [low, high]: Pair<number>) => clamp((value - low) / (high - low), 0, 1);

const GAP = 14;

/** The corner's number, the base line's name, the callout and the name of the band, each where lines leave room. */
function placed(
  picture: Picture,
  view: OtherView,
  square: Square,
  { line, edges, baseline }: ViewCurve,
  at: { x: number; y: number },
): PlacedText[] {
  const { left, right, top, bottom } = boxOf(square);
  const [x, y] = [toX(square, at.x), toY(square, at.y)];
  const texts: PlacedText[] = [];

  /** Of the candidates inside the plot the one that meets the fewest texts, points of the curve and of the edges. */
  function add(lines: Run[][], places: { x: number; top: number; anchor: PlacedText["anchor"] }[]) {
    const { height } = sizeOf(lines);
    const costs = places.map((place) => {
      const text = textAt(lines, place);
      const { box } = text;
      const isOutside = box.left < left || box.right > right || box.top < top || box.top + height > bottom;
      const met = texts.filter((other) => overlap(grow(other.box, 4), box)).length;
      const passes = (of: Line) => passesThrough(of, square, grow(box, 3));
      const point = { left: x - 12, right: x + 12, top: y - 12, bottom: y + 12 };
      const cost =
        (isOutside ? 1000 : 0) +
        100 * met +
        (overlap(point, box) ? 50 : 0) +
        (passes(line) ? 20 : 0) +
        (passes(edges.upper) ? 3 : 0) +
        (passes(edges.lower) ? 3 : 0) +
        (passes(baseline) ? 2 : 0);
      return { text, cost };
    });
    const best = costs.reduce((least, next) => (next.cost < least.cost ? next : least));
    if (best.cost < 100) texts.push(best.text);
  }

  const corner = viewCorner(picture, view);
  if (corner) add([[strong(corner)]], [{ x: right - 6, top: top + 6, anchor: "end" }]);
  const callout = calloutLines(picture, view);
  const { height } = sizeOf(callout);
  add(
    callout,
    ([y + GAP, y - GAP - height, y - height / 2] as const).flatMap((at) => [
      { x: x + GAP, top: at, anchor: "start" as const },
      { x: x - GAP, top: at, anchor: "end" as const },
    ]),
  );
  const name = `${BASELINES[view]}${view === "precision_recall" ? ` ${prevalenceOf(picture).toFixed(2)}` : ""}`;
  const middle = baseline.x.findIndex((_, i) => baseline.y[i] < (view === "net_benefit" ? 0.45 : 2));
  const atX = view === "reliability" ? 0.12 : Math.max(baseline.x[Math.max(middle, 0)], 0.02);
  const atY = view === "reliability" ? 0.12 : baseline.y[Math.max(middle, 0)];
  const [nx, ny] = [toX(square, atX) + 6, toY(square, atY)];
  add(
    [[plain(name, "muted")]],
    [ny - 18, ny + 3].map((at) => ({ x: nx, top: at, anchor: "start" as const })),
  );
  const caption = rangeLines(picture, view);
  const tall = sizeOf(caption).height;
  add(
    caption,
    [bottom - tall - 8, bottom - tall - 60, top + 34, top + 90].flatMap((at) => [
      { x: left + 12, top: at, anchor: "start" as const },
      { x: right - 12, top: at, anchor: "end" as const },
    ]),
  );
  return texts;
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
