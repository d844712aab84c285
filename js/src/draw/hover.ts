// Callout at the pointer: the rates at the nearest place on the curve, with their limits.

import { html, listen, setAttributes, setVisible, svg } from "../base/dom.ts";
import { limitsText, range, rate, thresholdText } from "../base/format.ts";
import { clamp } from "../base/scale.ts";
import { type Line, nearestVertex, observedCurve } from "../evaluation/observed_curve.ts";
import type { Evaluation, Frame, Label } from "../evaluation/types.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import { averageOf, readAt } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import type { Tone } from "../words/runs.ts";
import type { Canvas } from "./canvas.ts";
import { colourOf } from "./colour.ts";
import { boxAround, boxFrom, boxOf, fromX, fromY, overlaps, toX, toY } from "./scales.ts";

/** The callout for a place on a curve. */
export interface Hit {
  fpr: number;
  tpr: number;
  title: string;
  rows: { text: string; limits: string; tone: Tone }[];
}

type Find = (fpr: number, tpr: number) => Hit;

type Pointer = Pick<PointerEvent, "clientX" | "clientY">;

const WIDTH = 184;
const HEIGHT = 76;
const GAP = 16;
/** What it may not cover. */
const TAKEN = "text:not(.crw-tick):not([hidden]), .crw-point-dot";
/** Places away from the pointer, as shares of the room that the plot leaves. */
const LATTICE = Array.from({ length: 9 }, (_, i) => i / 8);
/** Farther than any two places in pixels. */
const FAR = 1e4;

/** The vertex of the curve nearest to a point of the plot. */
export function vertexHit(evaluation: Evaluation, frame: Frame, curve: Line, fpr: number, tpr: number): Hit {
  const i = nearestVertex(curve, fpr, tpr);
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.limits;
  const limits = (label: Label, lower: number, upper: number) =>
    limitsText(lower, upper, sidesOf(frame, label));
  return {
    fpr: curve.x[i],
    tpr: curve.y[i],
    title: `λ ${thresholdText(evaluation.thresholds[i])}`,
    rows: [
      { text: `TPR ${rate(curve.y[i])}`, limits: limits(1, tprLower[i], tprUpper[i]), tone: "label1" },
      { text: `FPR ${rate(curve.x[i])}`, limits: limits(0, fprLower[i], fprUpper[i]), tone: "label0" },
    ],
  };
}

/** What is told of a place on the plot: of the vertex there, or of the average of classes; null where nothing is. */
export function hitsOf(picture: Picture): Find | null {
  const { shown, group, view, evaluation, frame } = picture;
  if (shown === null) return group.folds ? null : (wish) => averageHit(picture, wish);
  if (view !== "roc") return null;
  return (fpr, tpr) => vertexHit(evaluation, frame, observedCurve(evaluation), fpr, tpr);
}

function averageHit(picture: Picture, wish: number): Hit {
  const { fpr, tpr, tprLower, tprUpper } = readAt(averageOf(picture), wish);
  return {
    fpr,
    tpr,
    title: `FPR ${rate(fpr)}`,
    rows: [{ text: `mean TPR ${rate(tpr)}`, limits: range(tprLower, tprUpper), tone: "label1" }],
  };
}

/** A callout that follows the pointer along a curve. It takes no events, and never comes while something is dragged. */
export function createHover(signal: AbortSignal) {
  const element = html("div", { class: "crw-hover crw-box", "data-testid": "hover", "aria-hidden": "true" });
  const mark = svg("circle", {
    ...{ class: "crw-hover-mark", r: 4, "pointer-events": "none" },
    ...{ fill: colourOf("paper"), stroke: colourOf("ink"), "stroke-width": 2 },
  });
  element.hidden = true;
  setVisible(mark, false);
  let canvas: Canvas;
  let find: Find | null = null;
  let pointer: Pointer | null = null;
  let scheduled = 0;

  function update() {
    scheduled = 0;
    const hit = pointer && find ? hitAt(pointer, find) : null;
    element.hidden = hit === null;
    setVisible(mark, hit !== null);
  }

  function hitAt({ clientX, clientY }: Pointer, find: Find): Hit | null {
    const { scales, drawing } = canvas;
    const { left, top } = drawing.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    const box = boxOf(scales.square);
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
    const hit = find(fromX(scales, x), fromY(scales, y));
    setAttributes(mark, { cx: toX(scales, hit.fpr), cy: toY(scales, hit.tpr) });
    show(hit);
    const place = freePlace(canvas, x, y);
    element.style.transform = `translate(${place.left}px, ${place.top}px)`;
    return hit;
  }

  function show({ title, rows }: Hit) {
    element.replaceChildren(
      html("b", { class: "crw-hover-title crw-cut" }, title),
      ...rows.flatMap(({ text, limits, tone }) => [
        html("b", { class: `crw-text-${tone}` }, text),
        html("span", { class: "crw-text-muted" }, limits),
      ]),
    );
  }

  function schedule() {
    if (scheduled === 0) scheduled = requestAnimationFrame(update);
  }

  signal.addEventListener("abort", () => cancelAnimationFrame(scheduled));

  return {
    mark,
    listen(on: Canvas) {
      canvas = on;
      on.element.append(element);
      const follow = ({ pointerType, buttons, clientX, clientY }: PointerEvent) => {
        pointer = pointerType === "touch" || buttons !== 0 ? null : { clientX, clientY };
        schedule();
      };
      const leave = () => {
        pointer = null;
        schedule();
      };
      listen(on.drawing, "pointermove", signal, follow);
      listen(on.drawing, "pointerdown", signal, leave);
      listen(on.drawing, "pointerleave", signal, leave);
    },
    /** What is told of a place; null while nothing is. */
    draw(found: Find | null) {
      find = found;
      if (pointer) schedule();
    },
  };
}

/** Beside the pointer, and over the whole plot in steps. */
function placesOn(at: number, start: number, end: number, size: number): number[] {
  const last = Math.max(start, end - size);
  const places = LATTICE.map((share) => start + share * (last - start));
  return [at + GAP, at - GAP - size, ...places].map((place) => clamp(place, start, last));
}

/** Near the pointer, or elsewhere on the plot, where the callout covers neither words nor the point. */
function freePlace({ scales, drawing }: Canvas, x: number, y: number): { left: number; top: number } {
  const origin = drawing.getBoundingClientRect();
  const taken = [...drawing.querySelectorAll(TAKEN)].map((each) => boxFrom(origin, each));
  taken.push(boxAround(x, y, GAP / 2));
  const inside = boxOf(scales.square);
  const places = placesOn(x, inside.left, inside.right, WIDTH).flatMap((left) =>
    placesOn(y, inside.top, inside.bottom, HEIGHT).map((top) => ({
      left,
      top,
      right: left + WIDTH,
      bottom: top + HEIGHT,
    })),
  );
  const cost = places.map((place) => {
    const away = Math.hypot(place.left + WIDTH / 2 - x, place.top + HEIGHT / 2 - y);
    return taken.filter((box) => overlaps(place, box)).length * FAR + away;
  });
  return places[cost.indexOf(Math.min(...cost))];
}
