// Computes the precision at each threshold, and its range over the limits of both rates. In Python:
// precision_recall.py.

import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { limitsAtVertex } from "./observed_curve.ts";
import type { Evaluation, Limits, RateLimits } from "./types.ts";

/** Returns the share of positives in the test set. */
export const ownPrevalence = ({ nTest }: Evaluation) => nTest[1] / (nTest[0] + nTest[1]);

/** Returns the share of positives among the rows predicted positive. NaN if no row is predicted positive. */
export function precisionAt(tpr: number, fpr: number, prevalence: number): number {
  const rightly = tpr * prevalence;
  return rightly / (rightly + fpr * (1 - prevalence));
}

/**
 * Returns the smallest and the largest precision within the limits of both rates. If no row is predicted
 * positive at the extreme rates, the nearest rates at which rows are predicted positive are used.
 */
export function precisionLimits(
  { tprLower, tprUpper, fprLower, fprUpper }: RateLimits,
  prevalence: number,
): Pair<number> {
  const low = precisionAt(tprLower, fprUpper, prevalence);
  const high = precisionAt(tprUpper, fprLower, prevalence);
  return [
    Number.isNaN(low) ? (tprUpper > 0 ? 1 : 0) : low,
    Number.isNaN(high) ? (fprUpper > 0 ? 0 : 1) : high,
  ];
}

/** Returns the precision and the recall at each vertex, with the limits of the precision, and the average precision. */
export const precisionRecall = remembered(({ fpr, tpr }: Evaluation, limits: Limits, prevalence: number) => {
  const n = tpr.length;
  const [precision, lower, upper] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  let averagePrecision = 0;
  for (let i = 0; i < n; i++) {
    const at = precisionAt(tpr[i], fpr[i], prevalence);
    precision[i] = Number.isNaN(at) ? 1 : at;
    [lower[i], upper[i]] = precisionLimits(limitsAtVertex(limits, i), prevalence);
    averagePrecision += (tpr[i] - (i > 0 ? tpr[i - 1] : 0)) * precision[i];
  }
  return { line: { x: tpr, y: precision }, lower, upper, averagePrecision };
});
