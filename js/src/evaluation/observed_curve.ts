// Reads the observed curve by its vertices, from the highest threshold to the lowest. In Python: observed_curve.py.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { clamp } from "../base/scale.ts";
import type { Evaluation, Limits, RateLimits } from "./types.ts";

/**
 * The curve's first threshold, at which no row is predicted positive, is above all scores by the scores' range divided
 * by this.
 */
const PARTS = 1000;

/** The points (x_i, y_i) of a line in the unit square. x and y never decrease along the line. */
export interface Line {
  x: Float64Array;
  y: Float64Array;
}

export const observedCurve = remembered(({ fpr, tpr }: Evaluation): Line => ({ x: fpr, y: tpr }));

/**
 * Returns the index of the last vertex whose threshold is at least `threshold`. Its counts are those of the rows that
 * score `threshold` or more.
 */
export function vertexAt(thresholds: Float64Array, threshold: number): number {
  return Math.max(partitionPoint(thresholds.length, (i) => thresholds[i] >= threshold) - 1, 0);
}

/** Returns the vertex with the same counts and limits as `threshold`. Null if there is none. */
export function exactVertex(evaluation: Evaluation, threshold: number): number | null {
  const { thresholds, anySize, simplified } = evaluation;
  const vertex = vertexAt(thresholds, threshold);
  if (thresholds[vertex] === threshold) return vertex;
  // If `anySize` is set, only the order of scores matters, and counts and limits are constant between two
  // scores. So the vertex has those of the threshold.
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

/**
 * Returns the lowest and the highest threshold that the user can set: 0 and 1. If some scores are outside [0, 1], they
 * are the lowest score and a value just above the highest one.
 */
export function thresholdEnds(thresholds: Float64Array): Pair<number> {
  const [highest, lowest] = [thresholds[1], thresholds[thresholds.length - 1]];
  if (lowest >= 0 && highest <= 1) return [0, 1];
  return [lowest, highest + (highest - lowest || 1) / PARTS];
}

/**
 * Returns the threshold that is set if the user chooses a vertex. The first vertex has the threshold +Infinity, for
 * which the highest threshold that can be set is returned.
 */
export function settableThreshold(thresholds: Float64Array, vertex: number): number {
  return clamp(thresholds[vertex], ...thresholdEnds(thresholds));
}

/**
 * Returns the y of a line at x. Where the line is vertical, it is the y of the later end. Between two points the line
 * is straight, or a step that first goes `across` or `up`.
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
