import type { Evaluation, Frame, OperatingPoint } from "./wire.ts";

/** A line through (x_i, y_i), both non-decreasing, as fractions of the unit square. */
export interface Line {
  x: Float64Array;
  y: Float64Array;
}

export interface Edges {
  upper: Line;
  lower: Line;
}

export function observedCurve({ falsePositives, truePositives, nTest }: Evaluation): Line {
  return { x: fractions(falsePositives, nTest[0]), y: fractions(truePositives, nTest[1]) };
}

/** Edges of the vertical band: limits of the sensitivity at each FPR of the observed curve. */
export function sensitivityEdges({ nTest }: Evaluation, { limits }: Frame, curve: Line): Edges {
  return {
    upper: steps({ x: curve.x, y: fractions(limits.tprUpper, nTest[1]) }),
    lower: steps({ x: curve.x, y: fractions(limits.tprLower, nTest[1]) }),
  };
}

/** Edges of the horizontal band: limits of the FPR at each TPR of the observed curve. */
export function specificityEdges({ nTest }: Evaluation, { limits }: Frame, curve: Line): Edges {
  return {
    upper: steps({ x: fractions(limits.fprLower, nTest[0]), y: curve.y }),
    lower: steps({ x: fractions(limits.fprUpper, nTest[0]), y: curve.y }),
  };
}

function fractions(counts: Uint32Array, n: number): Float64Array {
  return Float64Array.from(counts, (count) => count / n);
}

/** From each vertex first along x, then along y, to the next: a limit holds until the next FPR is reached. */
export function steps({ x, y }: Line): Line {
  const length = 2 * x.length - 1;
  return {
    x: Float64Array.from({ length }, (_, i) => x[(i + 1) >> 1]),
    y: Float64Array.from({ length }, (_, i) => y[i >> 1]),
  };
}

/** The closed outline of a band: its upper edge forward, its lower edge backward. */
export function outline({ upper, lower }: Edges): Line {
  return {
    x: joined(upper.x, lower.x.toReversed()),
    y: joined(upper.y, lower.y.toReversed()),
  };
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Index of the last vertex whose threshold is at least `threshold`: its counts are those of p >= threshold. */
export function vertexAt(thresholds: Float64Array, threshold: number): number {
  let low = 0;
  let high = thresholds.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (thresholds[middle] >= threshold) low = middle;
    else high = middle - 1;
  }
  return low;
}

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

/** The threshold that a person sets by choosing a vertex: +Infinity, the first, counts as 1. */
export function settableThreshold(thresholds: Float64Array, vertex: number): number {
  return Math.min(1, Math.max(0, thresholds[vertex]));
}

/** Whether an interval of the label ends anywhere: false where no order statistic is left at this alpha. */
export function hasLimits({ orderStatistics }: Frame, label: 0 | 1): boolean {
  return orderStatistics?.[label].some(({ residual }) => Number.isFinite(residual)) ?? true;
}

/** The kernel's operating point where it has answered for this threshold, else the nearest that the drawing knows. */
export function operatingPointAt(evaluation: Evaluation, frame: Frame, threshold: number): OperatingPoint {
  if (threshold === frame.threshold) return frame.point;
  const { thresholds, truePositives, falsePositives, nTest } = evaluation;
  const i = vertexAt(thresholds, threshold);
  const [tp, fp] = [truePositives[i], falsePositives[i]];
  return {
    tp,
    fp,
    fn: nTest[1] - tp,
    tn: nTest[0] - fp,
    tpr: tp / nTest[1],
    tprLower: frame.limits.tprLower[i] / nTest[1],
    tprUpper: frame.limits.tprUpper[i] / nTest[1],
    fpr: fp / nTest[0],
    fprLower: frame.limits.fprLower[i] / nTest[0],
    fprUpper: frame.limits.fprUpper[i] / nTest[0],
  };
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
