// Whether the scores may be the true risks: one verdict a page, from limits that hold at every threshold at once.

import { remembered } from "../base/remembered.ts";
import { hasReliability, reliability } from "../evaluation/calibration_band.ts";
import { type Miscalibration, miscalibration, type Stretch } from "../evaluation/miscalibration.ts";
import type { Evaluation, Limits } from "../evaluation/types.ts";
import type { Picture } from "./picture.ts";
import { saysLittle } from "./says_little.ts";

/** The verdict: of the conformal limits where they hold at every threshold, else of the reliability; null if nothing judges. */
export function verdictOf({ evaluation, frame, shown }: Picture): Miscalibration | null {
  if (shown === null || evaluation.margins || evaluation.anySize) return null;
  if (frame.kind === "everywhere") return ofLimits(evaluation, frame.limits);
  return hasReliability(evaluation, frame)
    ? miscalibration(reliability(evaluation, frame), evaluation)
    : null;
}

/** Whether scores are higher than the true risks at a threshold, lower, or neither is refuted there. */
export function signAt({ stretches }: Miscalibration, threshold: number): "higher" | "lower" | "" {
  const found = stretches.find(({ start, end }) => start < threshold && threshold <= end);
  return found ? (found.isHigher ? "higher" : "lower") : "";
}

/** The thresholds at which more, or fewer, rows are called than the true risks could call. */
const ofLimits = remembered(
  (evaluation: Evaluation, { tprLower, tprUpper, fprLower, fprUpper }: Limits): Miscalibration => {
    const { thresholds, tpr, fpr } = evaluation;
    const stretches: Stretch[] = [];
    for (let i = thresholds.length - 1; i >= 0; i--) {
      const isHigher = tpr[i] > tprUpper[i] || fpr[i] > fprUpper[i];
      if (!isHigher && tpr[i] >= tprLower[i] && fpr[i] >= fprLower[i]) continue;
      // A vertex has the rates at each threshold t with: next lower threshold < t <= its own.
      const [start, end] = [thresholds[i + 1] ?? 0, Math.min(thresholds[i], 1)];
      const last = stretches[stretches.length - 1];
      if (last?.isHigher === isHigher && last.end === start) last.end = end;
      else stretches.push({ start, end, isHigher });
    }
    if (stretches.length > 0) return { verdict: "off", stretches };
    return { verdict: saysLittle(evaluation) ? "few" : "none", stretches };
  },
);
