import { decoration, html, setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import { fixed } from "../base/format.ts";
import { remembered } from "../base/remembered.ts";
import { type Edges, edgesOf } from "../evaluation/curve_lines.ts";
import { type Line, observedCurve } from "../evaluation/observed_curve.ts";
import { LABELS } from "../evaluation/types.ts";
import { BOTH, sidesOf } from "../evaluation/vacuous.ts";
import { viewTable } from "../evaluation/view_curves.ts";
import type { Picture } from "../sync/view_model.ts";
import type { ViewKind } from "../wire/messages.ts";
import { labelsOf } from "../words/one_evaluation.ts";
import {
  type OtherView,
  prevalenceOf,
  SMALL_AXES,
  smallNumber,
  VIEW_NAMES,
  viewPoint,
} from "../words/views.ts";
import { createBandShape } from "./band_shape.ts";
import { coarse, pathOf, type Square, toX, toY } from "./geometry.ts";
import { fraction, unitCurve } from "./unit_curve.ts";

/** A view that is not in front, small: a press on it brings it there. */
export interface SmallView {
  element: HTMLElement;
  draw(picture: Picture): void;
}

const SIZE = 126;
const SQUARE: Square = { x0: 0, y0: SIZE, size: SIZE };
/** Steps smaller than this, in pixels, are not seen here. */
const TOLERANCE = 0.5;

export function createSmallView(view: ViewKind, choose: () => void, signal: AbortSignal): SmallView {
  const tick = (x: number, y: number, anchor: string, words: string) =>
    svg("text", { x, y, "text-anchor": anchor }, words);
  const [top, bottom] = [tick(-4, 9, "end", "1"), tick(-4, SIZE, "end", "0")];
  const baseline = svg("path", { class: "crw-baseline" });
  const curve = svg("path", { class: "crw-curve" });
  const arm = svg("path", { class: "crw-arm-small" });
  const dot = svg("circle", { class: "crw-point-dot", r: 4.5 });
  const number = svg("text", {
    class: "crw-small-number crw-halo",
    // In the corner that the curve leaves free.
    x: view === "roc" ? SIZE - 4 : 6,
    y: SIZE - 8,
    "text-anchor": view === "roc" ? "end" : "start",
  });
  const drawing = view === "roc" ? rocDrawing() : otherDrawing(view);
  const element = html(
    "button",
    { class: "crw-small-view", "data-testid": `small-${view.replace("_", "-")}` },
    html("b", {}, VIEW_NAMES[view]),
    decoration(
      { width: SIZE, height: SIZE + 18 },
      svg("svg", { width: SIZE, height: SIZE }, drawing.bands, baseline, curve),
      svg("path", { class: "crw-axis", fill: "none", d: `M0 0V${SIZE}H${SIZE}` }),
      ...[top, bottom, tick(0, SIZE + 14, "start", "0"), tick(SIZE, SIZE + 14, "end", "1")],
      tick(SIZE / 2, SIZE + 14, "middle", SMALL_AXES[view]),
      ...[arm, number, dot],
    ),
  );
  element.addEventListener("click", choose, { signal });

  function drawLines(line: Line, flat: Line) {
    setAttributes(curve, { d: pathOf(coarse(line, SQUARE, TOLERANCE), SQUARE) });
    setAttributes(baseline, { d: pathOf(flat, SQUARE) });
  }

  /** The ends of the arm are those of the point's limits. */
  function drawPoint(x: number, y: number, [low, high]: [number, number]) {
    const at = toX(SQUARE, x);
    setAttributes(arm, { d: `M${at} ${toY(SQUARE, low)}V${toY(SQUARE, high)}` });
    setAttributes(dot, { cx: at, cy: toY(SQUARE, y) });
  }

  function rocDrawing() {
    const shapes = LABELS.map((label) => ({
      label,
      shape: createBandShape(`crw-label${label}`, `small-band-${label}`),
    }));
    let drawn: Line | null = null;
    return {
      bands: svg("g", {}, ...shapes.map(({ shape }) => shape.element)),
      draw({ evaluation, frame, band }: Picture) {
        const line = observedCurve(evaluation);
        if (line !== drawn) drawLines(line, DIAGONAL);
        drawn = line;
        for (const { label, shape } of shapes) {
          // What has a band of its own, over the curve or along it, is drawn in front alone.
          const isShown = band !== "ideal" && !evaluation.simultaneous && labelsOf(band).includes(label);
          setVisible(shape.element, isShown);
          if (isShown) shape.draw(roughly(edgesOf(label, frame, line)), sidesOf(frame, label), SQUARE);
        }
        const { fpr, tpr } = frame.point;
        drawPoint(fpr, tpr, [tpr, tpr]);
      },
    };
  }

  function otherDrawing(of: OtherView) {
    const shape = createBandShape("crw-neutral", `small-band-${of.replace("_", "-")}`);
    let drawn: object | null = null;
    return {
      bands: shape.element,
      draw(picture: Picture) {
        const prevalence = prevalenceOf(picture);
        const table = viewTable(of, prevalence);
        const { up, across } = table;
        const lines = table.curve(picture.evaluation, picture.frame, prevalence);
        if (lines !== drawn) {
          const unit = unitCurve(lines, table);
          drawLines(unit.line, unit.baseline);
          shape.draw(roughly(unit.edges), BOTH, SQUARE);
          if (of === "net_benefit") {
            setText(bottom, fixed(up[0], 2));
            setText(top, fixed(up[1], 2));
          }
        }
        drawn = lines;
        const { x, y, lower, upper } = viewPoint(picture, of);
        drawPoint(fraction(x, across), fraction(y, up), [fraction(lower, up), fraction(upper, up)]);
      },
    };
  }

  return {
    element,
    draw(picture) {
      drawing.draw(picture);
      const text = smallNumber(picture, view);
      setText(number, text);
      setAttributes(element, {
        "aria-label": text ? `${VIEW_NAMES[view]}, ${text}` : VIEW_NAMES[view],
        "aria-pressed": String(view === picture.view),
      });
    },
  };
}

const DIAGONAL: Line = { x: Float64Array.of(0, 1), y: Float64Array.of(0, 1) };

/** The same edges stay the same, so that a threshold that moves draws no band. */
const roughly = remembered(
  ({ upper, lower }: Edges): Edges => ({
    upper: coarse(upper, SQUARE, TOLERANCE),
    lower: coarse(lower, SQUARE, TOLERANCE),
  }),
);
