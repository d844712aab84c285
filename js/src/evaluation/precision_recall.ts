// Precision over the threshold, with the range that both intervals allow; its twin is precision_recall.py.

import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { limitsAtVertex } from "./observed_curve.ts";
import type { Evaluation, Limits, RateLimits } from "./types.ts";

/** Share of the positive class in the test set. */
export const ownPrevalence = ({ nTest }: Evaluation) => nTest[1] / (nTest[0] + nTest[1]);

/** Share of positives among those called positive; NaN if nobody is called so. */
export function precisionAt(tpr: number, fpr: number, prevalence: number): number {
  const rightly = tpr * prevalence;
  return rightly / (rightly + fpr * (1 - prevalence));
}

/** Smallest and largest precision that both intervals allow. If a corner calls nobody, the nearest one that does decides. */
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

/** Precision by recall, an entry a vertex. */
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
