import { decoration, html, setAttributes, setText, svg } from "../base/dom.ts";
import { count, rate } from "../base/format.ts";
import { steps } from "../evaluation/curve_lines.ts";
import { type Line, observedCurve } from "../evaluation/observed_curve.ts";
import type { Evaluation, Frame, Limits } from "../evaluation/types.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import { createBandShape } from "./band_shape.ts";
import { coarse, pathOf, type Square, toX, toY } from "./geometry.ts";

/** One class, population or fold among several, small: a press on it shows it large. */
export interface Multiple {
  element: HTMLElement;
  draw(name: string, points: number, evaluation: Evaluation, frame: Frame): void;
}

const SIZE = 132;
const SQUARE: Square = { x0: 1, y0: SIZE + 1, size: SIZE };
/** Steps smaller than this, in pixels, are not seen here. */
const TOLERANCE = 0.5;

export function createMultiple(index: number, choose: () => void, signal: AbortSignal): Multiple {
  const name = html("b");
  const points = html("span");
  const auc = html("b");
  const { x0, y0, size } = SQUARE;
  const band = createBandShape("crw-label1", `small-band-${index}`, true);
  const curve = svg("path", { class: "crw-curve" });
  const arm = svg("path", { class: "crw-arm-small" });
  const dot = svg("circle", { class: "crw-point-dot", r: 5 });
  const drawing = decoration(
    { viewBox: `0 0 ${SIZE + 2} ${SIZE + 2}` },
    svg("path", { class: "crw-axis", fill: "none", d: `M${x0} ${y0 - size}V${y0}H${x0 + size}` }),
    svg("path", { class: "crw-chance", d: `M${x0} ${y0}L${x0 + size} ${y0 - size}` }),
    ...[band.element, curve, arm, dot],
  );
  const ticks = ["0", "FPR", "1"].map((text) => html("span", {}, text));
  const element = html(
    "button",
    { class: "crw-multiple", "data-testid": `small-multiple-${index}` },
    html("span", { class: "crw-multiple-head" }, name, points),
    drawing,
    html("span", { class: "crw-multiple-ticks", "aria-hidden": "true" }, ...ticks),
    html("span", { class: "crw-multiple-auc" }, auc, "AUC"),
  );
  element.addEventListener("click", choose, { signal });
  let drawn: Evaluation | null = null;
  let limits: Limits | null = null;

  return {
    element,
    draw(entryName, n, evaluation, frame) {
      const line = observedCurve(evaluation);
      if (evaluation !== drawn) {
        drawn = evaluation;
        setText(name, entryName);
        setText(points, `${count(n)} points`);
        setText(auc, rate(evaluation.auc));
        setAttributes(curve, { d: pathOf(coarse(line, SQUARE, TOLERANCE), SQUARE) });
      }
      if (frame.limits !== limits) {
        limits = frame.limits;
        const { tprUpper, tprLower } = limits;
        const edges = { upper: edgeOf(line.x, tprUpper), lower: edgeOf(line.x, tprLower) };
        band.draw(edges, sidesOf(frame, 1), SQUARE);
      }
      const { fpr, tpr, tprLower, tprUpper } = frame.point;
      const x = toX(SQUARE, fpr);
      setAttributes(arm, { d: `M${x} ${toY(SQUARE, tprLower)}V${toY(SQUARE, tprUpper)}` });
      setAttributes(dot, { cx: x, cy: toY(SQUARE, tpr) });
    },
  };
}

function edgeOf(x: Float64Array, y: Float64Array): Line {
  return steps(coarse({ x, y }, SQUARE, TOLERANCE));
}
