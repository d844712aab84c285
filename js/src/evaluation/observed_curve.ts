// The observed curve and its vertices, in the order of falling thresholds; its twin is observed_curve.py.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { clamp } from "../base/scale.ts";
import type { Evaluation, Limits, RateLimits } from "./types.ts";

/** A threshold that calls nobody lies so small a part of the scores' range above them all. */
const PARTS = 1000;

/** A line through (x_i, y_i), both non-decreasing, as fractions of the unit square. */
export interface Line {
  x: Float64Array;
  y: Float64Array;
}

export const observedCurve = remembered(({ fpr, tpr }: Evaluation): Line => ({ x: fpr, y: tpr }));

/** Index of the last vertex whose threshold is at least `threshold`: its counts are those of p >= threshold. */
export function vertexAt(thresholds: Float64Array, threshold: number): number {
  return Math.max(partitionPoint(thresholds.length, (i) => thresholds[i] >= threshold) - 1, 0);
}

/** The vertex at whose threshold the counts and limits are those at `threshold`, if there is one. */
export function exactVertex(evaluation: Evaluation, threshold: number): number | null {
  const { thresholds, anySize, simplified } = evaluation;
  const vertex = vertexAt(thresholds, threshold);
  if (thresholds[vertex] === threshold) return vertex;
  // If only the order of scores counts, no rate changes between two scores.
  const isAsThere = anySize ? vertex === 0 || !simplified : vertex === 0 && threshold >= 1;
  return isAsThere ? vertex : null;
}

export const limitsAtVertex = (
  { fprLower, fprUpper, tprLower, tprUpper }: Limits,
  vertex: number,
): RateLimits => ({
  fprLower: fprLower[vertex],
  fprUpper: fprUpper[vertex],
  tprLower: tprLower[vertex],
  tprUpper: tprUpper[vertex],
});

export function nearestVertex({ x, y }: Line, atX: number, atY: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < x.length; i++) {
    const distance = (x[i] - atX) ** 2 + (y[i] - atY) ** 2;
    if (distance < least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

/** The lowest and the highest threshold that can be set: 0 and 1, or those of scores that lie outside. */
export function thresholdEnds(thresholds: Float64Array): Pair<number> {
  const [highest, lowest] = [thresholds[1], thresholds[thresholds.length - 1]];
  if (lowest >= 0 && highest <= 1) return [0, 1];
  return [lowest, highest + (highest - lowest || 1) / PARTS];
}

/** The threshold that a person sets by choosing a vertex: +Infinity, the first, counts as the highest that can be set. */
export function settableThreshold(thresholds: Float64Array, vertex: number): number {
  return clamp(thresholds[vertex], ...thresholdEnds(thresholds));
}

/**
 * Height of a line at x; on a vertical piece, that of its later end. The line is straight or in steps: first
 * `across`, or first `up`, to the next point.
 */
export function heightAt({ x, y, step }: Line & { step?: "" | "across" | "up" }, atX: number): number {
  const last = x.length - 1;
  const sign = x[last] < x[0] ? -1 : 1;
  const i = partitionPoint(x.length, (k) => sign * x[k] <= sign * atX) - 1;
  if (i < 0) return y[0];
  if (i === last || step === "across") return y[i];
  if (step === "up") return y[i + 1];
  return y[i] + ((atX - x[i]) / (x[i + 1] - x[i])) * (y[i + 1] - y[i]);
}
