import { decoration, html, setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import { count, percent } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, clamp } from "../base/scale.ts";
import {
  type CalibrationBand,
  calibrationBand,
  heldScores,
  isotonic,
} from "../evaluation/calibration_band.ts";
import type { Evaluation } from "../evaluation/types.ts";
import type { Picture } from "../sync/view_model.ts";
import { className } from "../words/one_evaluation.ts";

/** The band of the ideal recalibration over the score, with the threshold through it. */
export interface ReliabilityStrip {
  /** Beside the track, and under it. */
  elements: [gutter: HTMLElement, strip: HTMLElement];
  /** Where there is no such band it takes no room. */
  draw(picture: Picture, axis: Axis, width: number): void;
}

const HEIGHT = 148;
const END_RADIUS = 4.5;
/** In pixels: what is smaller is not seen. */
const FINEST = 0.25;

export function createReliabilityStrip(): ReliabilityStrip {
  const area = svg("path", { class: "crw-reliability-band", "data-testid": "reliability-band" });
  const diagonal = svg("path", { class: "crw-reliability-diagonal" });
  const line = svg("path", { class: "crw-reliability-line" });
  const level = svg("path", { class: "crw-reliability-level" });
  const bar = svg("path", { class: "crw-reliability-bar", "data-testid": "reliability-held" });
  const ends = [0, 1].map(() => svg("circle", { class: "crw-arc-end", r: END_RADIUS }));
  const point = svg("circle", { class: "crw-point-dot", r: 5 });
  const baseline = svg("path", { class: "crw-strip-baseline" });
  const ticks = [0, 0.5, 1].map((tick) =>
    svg(
      "text",
      { class: "crw-reliability-tick", x: -8, y: place(tick) + 4, "text-anchor": "end" },
      String(tick),
    ),
  );
  const drawing = decoration(
    { height: HEIGHT },
    ...[area, diagonal, line, baseline, ...ticks, level, bar, ...ends, point],
  );
  const promise = html("b");
  const words = html(
    "span",
    { class: "crw-reliability-words" },
    promise,
    html("span", {}, "all scores at once"),
  );
  const lines = html("span", { class: "crw-reliability-lines" }, "isotonic line and diagonal");
  const strip = html(
    "div",
    { class: "crw-strip crw-reliability-strip", "data-testid": "reliability-strip" },
    drawing,
    words,
    lines,
  );
  const name = html("b");
  const facts = html("div", { class: "crw-gutter-facts" });
  const gutter = html("div", { class: "crw-gutter crw-reliability-gutter" }, name, facts);
  let laidOut: { evaluation: Evaluation; width: number; axis: Axis } | null = null;
  let drawn: { band: CalibrationBand; width: number } | null = null;

  function layOut(evaluation: Evaluation, axis: Axis, width: number) {
    if (laidOut?.evaluation === evaluation && laidOut.width === width && laidOut.axis === axis) return;
    laidOut = { evaluation, width, axis };
    drawn = null;
    const { recalibration, classes, nCalibration } = evaluation;
    if (!recalibration) return;
    setAttributes(drawing, { width });
    setAttributes(baseline, { d: `M0 ${HEIGHT - 0.5}H${width}` });
    const across = (score: number) => clamp(axis.toFraction(score), 0, 1) * width;
    setAttributes(diagonal, { d: diagonalOf(axis, width) });
    const { first } = recalibration.groups;
    setAttributes(line, { d: steps(isotonic(recalibration.groups), first, across, width) });
    setText(name, `Share ${className(1, classes) || classes[1]}`);
    setText(facts, `n = ${count(nCalibration[0] + nCalibration[1])} calibration`);
  }

  function drawBand(band: CalibrationBand, axis: Axis, width: number) {
    if (drawn?.band === band && drawn.width === width) return;
    drawn = { band, width };
    const across = (score: number) => clamp(axis.toFraction(score), 0, 1) * width;
    const { lower, upper, groups } = band;
    const over = [...upper.subarray(1), 1];
    const [top, bottom] = [
      steps(over, groups.first, across, width, upper[0]),
      steps(lower, groups.last, across, width, 0),
    ];
    const back = bottom.slice(1).split("L").reverse().join("L");
    setAttributes(area, { d: `${top}L${back}Z` });
    area.classList.toggle("crw-refuted", band.refuted);
  }

  return {
    elements: [gutter, strip],
    draw({ evaluation, frame, wanted }, axis, width) {
      const { recalibration } = evaluation;
      for (const element of [gutter, strip]) setVisible(element, recalibration !== null);
      if (!recalibration) return;
      layOut(evaluation, axis, width);
      const band = calibrationBand(recalibration.groups, frame.alpha);
      drawBand(band, axis, width);
      setText(promise, `${percent(1 - frame.alpha)} band,`);
      const y = place(wanted.threshold);
      const held = heldScores(band, wanted.threshold);
      const [from, to]: Pair<number> = [axis.toFraction(held[0]) * width, axis.toFraction(held[1]) * width];
      const [left, right] = [Math.max(from, 0), Math.min(to, width)];
      setAttributes(level, { d: `M0 ${y}H${width}` });
      setAttributes(bar, { d: `M${left} ${y}H${right}` });
      setAttributes(ends[0], { cx: left, cy: y });
      setAttributes(ends[1], { cx: right, cy: y });
      setAttributes(point, { cx: axis.toFraction(wanted.threshold) * width, cy: y });
      for (const end of ends) setVisible(end, right > left);
    },
  };
}

const place = (share: number) => (1 - share) * (HEIGHT - 1) + 0.5;

/** Steps from `start` to each value where its score is reached, to the end of the track. */
function steps(
  values: ArrayLike<number>,
  scores: Float64Array,
  across: (score: number) => number,
  width: number,
  start = values[0],
): string {
  const points = [`0 ${place(start).toFixed(1)}`];
  let height = place(start);
  let last = 0;
  for (let i = 0; i < scores.length; i++) {
    const next = place(values[i]);
    const isLast = i === scores.length - 1;
    if (!isLast && Math.abs(next - height) < FINEST) continue;
    const x = across(scores[i]);
    if (!isLast && x - last < FINEST && Math.abs(next - height) < 1) continue;
    points.push(`${x.toFixed(1)} ${height.toFixed(1)}`, `${x.toFixed(1)} ${next.toFixed(1)}`);
    height = next;
    last = x;
  }
  points.push(`${width} ${height.toFixed(1)}`);
  return `M${points.join("L")}`;
}

/** A score that needs no recalibration; on a log-odds axis it is a curve. */
function diagonalOf(axis: Axis, width: number): string {
  const points = Array.from({ length: 49 }, (_, i) => {
    const score = axis.fromFraction(i / 48);
    return `${((i / 48) * width).toFixed(1)} ${place(clamp(score, 0, 1)).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}
