import type { Evaluation, Frame, Limits, OperatingPoint } from "../wire/messages.ts";
import { pointAtVertex } from "./at_alpha.ts";
import { vertexAt } from "./observed_curve.ts";

/** A line through (x_i, y_i), both non-decreasing, as fractions of the unit square. */
export interface Line {
  x: Float64Array;
  y: Float64Array;
}

export interface Edges {
  upper: Line;
  lower: Line;
}

export function observedCurve({ fpr, tpr }: Evaluation): Line {
  return { x: fpr, y: tpr };
}

/** What has been made of limits: a threshold that moves leaves them, and their edges, as they are. */
const made = new WeakMap<Limits, { 0?: Edges; 1?: Edges }>();

/** Edges of the band of a label. */
export function edgesOf(label: 0 | 1, { limits }: Frame, curve: Line): Edges {
  const known = made.get(limits) ?? {};
  made.set(limits, known);
  known[label] ??= (label === 1 ? sensitivityEdges : specificityEdges)(limits, curve);
  return known[label];
}

/** The vertical band: limits of the sensitivity at each FPR of the observed curve. */
export function sensitivityEdges({ tprLower, tprUpper }: Limits, { x }: Line): Edges {
  return { upper: steps({ x, y: tprUpper }), lower: steps({ x, y: tprLower }) };
}

/** The horizontal band: limits of the FPR at each TPR of the observed curve. */
export function specificityEdges({ fprLower, fprUpper }: Limits, { y }: Line): Edges {
  return { upper: steps({ x: fprLower, y }), lower: steps({ x: fprUpper, y }) };
}

/** From each vertex first along x, then along y, to the next: a limit holds until the next FPR is reached. */
export function steps({ x, y }: Line): Line {
  const length = 2 * x.length - 1;
  const stepped = { x: new Float64Array(length), y: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    stepped.x[i] = x[(i + 1) >> 1];
    stepped.y[i] = y[i >> 1];
  }
  return stepped;
}

/** Whether an interval of the label ends anywhere: false where all of them are everything from 0 to 1. */
export function hasLimits({ orderStatistics, local }: Frame, label: 0 | 1): boolean {
  if (orderStatistics === null) return local === null || local.vacuousShare[label] < 1;
  return orderStatistics[label].some(({ residual }) => Number.isFinite(residual));
}

/** The operating point at any threshold of a frame: its own, or that of the vertex where the threshold lies. */
export function operatingPointAt(evaluation: Evaluation, frame: Frame, threshold: number): OperatingPoint {
  if (threshold === frame.threshold) return frame.point;
  return pointAtVertex(evaluation, frame.limits, vertexAt(evaluation.thresholds, threshold));
}

/** Height of a line at x; on a vertical piece, its upper end. */
export function heightAt({ x, y }: Line, atX: number): number {
  const i = lastAtMost(x, atX);
  if (i < 0) return y[0];
  if (i === x.length - 1) return y[i];
  return y[i] + ((atX - x[i]) / (x[i + 1] - x[i])) * (y[i + 1] - y[i]);
}

function lastAtMost(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
