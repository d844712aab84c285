import { html, setAttributes, setVisible, svg } from "../base/dom.ts";
import { limitsText, rate, thresholdText } from "../base/format.ts";
import { clamp } from "../base/scale.ts";
import { type Line, nearestVertex } from "../evaluation/observed_curve.ts";
import type { Evaluation, Frame, Label } from "../evaluation/types.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import type { Tone } from "../words/runs.ts";
import { type Box, boxOf, contains, fromX, fromY, grow, overlap, toX, toY } from "./geometry.ts";
import type { PlotFrame } from "./plot_frame.ts";

/** The callout for a place on a curve. */
export interface Hit {
  fpr: number;
  tpr: number;
  title: string;
  /** Of several curves the one that it lies on. */
  entry?: number;
  rows: { text: string; limits: string; tone: Tone }[];
}

type Find = (fpr: number, tpr: number) => Hit | null;

const WIDTH = 184;
const HEIGHT = 76;
const GAP = 16;
/** Places away from the pointer, as shares of the room that the plot leaves. */
const LATTICE = Array.from({ length: 9 }, (_, i) => i / 8);
/** Where a callout looks for the curve beneath it, as shares of its width. */
const CURVE_SPOTS = [0, 0.25, 0.5, 0.75, 1];

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

/** A callout that follows the pointer along a curve. It takes no events, and never comes while something is dragged. */
export function createHover(signal: AbortSignal, onHit: (hit: Hit | null) => void = () => {}) {
  const element = html("div", { class: "crw-hover", "data-testid": "hover", "aria-hidden": "true" });
  const mark = svg("circle", { class: "crw-hover-mark", r: 4 });
  element.hidden = true;
  setVisible(mark, false);
  let plotFrame: PlotFrame;
  let find: Find = () => null;
  let pointer: { clientX: number; clientY: number } | null = null;
  let scheduled = 0;
  let isHeld = false;

  function update() {
    scheduled = 0;
    const hit = pointer && !isHeld ? hitAt(pointer) : null;
    element.hidden = hit === null;
    setVisible(mark, hit !== null);
    onHit(hit);
  }

  function hitAt({ clientX, clientY }: { clientX: number; clientY: number }): Hit | null {
    const { square, drawing } = plotFrame;
    const { left, top } = drawing.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    if (!contains(grow(boxOf(square), GAP / 2), { left: x, right: x, top: y, bottom: y })) return null;
    const hit = find(fromX(square, x), fromY(square, y));
    if (!hit) return null;
    setAttributes(mark, { cx: toX(square, hit.fpr), cy: toY(square, hit.tpr) });
    show(hit);
    const place = freePlace(x, y);
    element.style.transform = `translate(${place.left}px, ${place.top}px)`;
    return hit;
  }

  /** Near the pointer, or elsewhere on the plot, where it covers no words and no point, and little of the curve. */
  function freePlace(x: number, y: number): Box {
    const { square, drawing } = plotFrame;
    const { left, top } = drawing.getBoundingClientRect();
    const taken = [...drawing.querySelectorAll(".crw-label, .crw-point-dot")].map((each): Box => {
      const box = each.getBoundingClientRect();
      return { left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top };
    });
    taken.push(grow({ left: x, right: x, top: y, bottom: y }, GAP / 2));
    const inside = boxOf(square);
    const [across, down] = (["left", "top"] as const).map((side) => {
      const [at, start, end, size] =
        side === "left" ? [x, inside.left, inside.right, WIDTH] : [y, inside.top, inside.bottom, HEIGHT];
      const last = Math.max(start, end - size);
      const places = LATTICE.map((share) => start + share * (last - start));
      return [at + GAP, at - GAP - size, ...places].map((place) => clamp(place, start, last));
    });
    const boxes = across.flatMap((left) =>
      down.map((top): Box => ({ left, right: left + WIDTH, top, bottom: top + HEIGHT })),
    );
    const met = (box: Box, others: Box[]) => others.filter((other) => overlap(box, other)).length;
    const cost = (box: Box) => {
      const spots = CURVE_SPOTS.map((share): Box => {
        const [atX, atY] = [box.left + share * WIDTH, (box.top + box.bottom) / 2];
        const near = find(fromX(square, atX), fromY(square, atY));
        const [cx, cy] = near ? [toX(square, near.fpr), toY(square, near.tpr)] : [x, y];
        return { left: cx, right: cx, top: cy, bottom: cy };
      });
      return met(box, spots) + Math.hypot(box.left + WIDTH / 2 - x, box.top + HEIGHT / 2 - y) / square.size;
    };
    const covered = boxes.map((box) => met(box, taken));
    const least = Math.min(...covered);
    const free = boxes.filter((_, i) => covered[i] === least);
    const costs = free.map(cost);
    return free[costs.indexOf(Math.min(...costs))];
  }

  function show({ title, rows }: Hit) {
    element.replaceChildren(
      html("b", { class: "crw-hover-title" }, title),
      ...rows.flatMap(({ text, limits, tone }) => [
        html("b", { class: `crw-text-${tone}` }, text),
        html("span", {}, limits),
      ]),
    );
  }

  function schedule() {
    if (scheduled === 0) scheduled = requestAnimationFrame(update);
  }

  signal.addEventListener("abort", () => cancelAnimationFrame(scheduled), { once: true });

  return {
    mark,
    listen(on: PlotFrame) {
      plotFrame = on;
      on.element.append(element);
      const follow = ({ pointerType, buttons, clientX, clientY }: PointerEvent) => {
        pointer = pointerType === "touch" || buttons !== 0 ? null : { clientX, clientY };
        schedule();
      };
      const leave = () => {
        pointer = null;
        schedule();
      };
      on.drawing.addEventListener("pointermove", follow, { signal });
      on.drawing.addEventListener("pointerdown", leave, { signal });
      on.drawing.addEventListener("pointerleave", leave, { signal });
    },
    draw(held: boolean, newFind: Find) {
      isHeld = held;
      find = newFind;
      if (pointer) schedule();
    },
  };
}
