// Tells whether the scores may be the true risks. The verdict needs limits that hold at every threshold at once.

import { remembered } from "../base/remembered.ts";
import { hasReliability, reliability } from "../evaluation/calibration_band.ts";
import { type Miscalibration, miscalibration, type Stretch } from "../evaluation/miscalibration.ts";
import type { Evaluation, Limits } from "../evaluation/types.ts";
import type { Picture } from "./picture.ts";
import { saysLittle } from "./says_little.ts";

/**
 * Returns the verdict on the scores, from the conformal limits if they hold at every threshold at once, and otherwise
 * from the bounds of P(y = 1 | score). Null if neither exists.
 */
export function verdictOf({ evaluation, frame, shown }: Picture): Miscalibration | null {
  if (shown === null || evaluation.margins || evaluation.anySize) return null;
  if (frame.kind === "everywhere") return ofLimits(evaluation, frame.limits);
  return hasReliability(evaluation, frame)
    ? miscalibration(reliability(evaluation, frame), evaluation)
    : null;
}

/**
 * Returns whether scores at a threshold are "higher" or "lower" than the true risks. Empty if the limits show neither.
 */
export function signAt({ stretches }: Miscalibration, threshold: number): "higher" | "lower" | "" {
  const found = stretches.find(({ start, end }) => start < threshold && threshold <= end);
  return found ? (found.isHigher ? "higher" : "lower") : "";
}

/**
 * Returns the ranges of thresholds at which more rows, or fewer, are predicted positive than the true risks would give.
 */
const ofLimits = remembered(
  (evaluation: Evaluation, { tprLower, tprUpper, fprLower, fprUpper }: Limits): Miscalibration => {
    const { thresholds, tpr, fpr } = evaluation;
    const stretches: Stretch[] = [];
    for (let i = thresholds.length - 1; i >= 0; i--) {
      const isHigher = tpr[i] > tprUpper[i] || fpr[i] > fprUpper[i];
      if (!isHigher && tpr[i] >= tprLower[i] && fpr[i] >= fprLower[i]) continue;
      // The rates of a vertex are those at every threshold from that of the vertex down to just above that of
      // the next vertex. So the rates are outside the limits in this whole range.
      const [start, end] = [thresholds[i + 1] ?? 0, Math.min(thresholds[i], 1)];
      const last = stretches[stretches.length - 1];
      if (last?.isHigher === isHigher && last.end === start) last.end = end;
      else stretches.push({ start, end, isHigher });
    }
    if (stretches.length > 0) return { verdict: "off", stretches };
    return { verdict: saysLittle(evaluation) ? "few" : "none", stretches };
  },
);
