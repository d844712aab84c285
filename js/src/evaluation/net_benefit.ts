// Computes the net benefit at each threshold, and its range over the limits of both rates. In Python: net_benefit.py.

import { expit, logit } from "../base/logit.ts";
import { remembered } from "../base/remembered.ts";
import { ownPrevalence } from "./precision_recall.ts";
import type { Evaluation, Limits, OperatingPoint } from "./types.ts";

/** Returns the risk that a score threshold stands for if the prevalence differs from the test set's. */
export function riskOf(threshold: number, testPrevalence: number, prevalence: number): number {
  if (prevalence === testPrevalence) return threshold;
  return expit(logit(threshold) + logit(prevalence) - logit(testPrevalence));
}

/** Returns the odds of `riskOf` at a threshold. They are finite even if the risk rounds to 1. */
export function oddsOf(threshold: number, testPrevalence: number, prevalence: number): number {
  const odds = threshold / (1 - threshold);
  if (prevalence === testPrevalence) return odds;
  return (odds * prevalence * (1 - testPrevalence)) / ((1 - prevalence) * testPrevalence);
}

/** Returns the net benefit of a true and a false positive rate. A false positive costs the odds of the risk. */
export function netBenefitAt(tpr: number, fpr: number, odds: number, prevalence: number): number {
  return tpr * prevalence - fpr * (1 - prevalence) * odds;
}

/** Returns the net benefit of predicting every row positive. */
export const treatAll = (odds: number, prevalence: number) => netBenefitAt(1, 1, odds, prevalence);

/** Returns the net benefit of an operating point, and its range over the limits of both rates. */
export function netBenefitOf(point: OperatingPoint, odds: number, prevalence: number) {
  return {
    netBenefit: netBenefitAt(point.tpr, point.fpr, odds, prevalence),
    lower: netBenefitAt(point.tprLower, point.fprUpper, odds, prevalence),
    upper: netBenefitAt(point.tprUpper, point.fprLower, odds, prevalence),
  };
}

/**
 * Returns the net benefit and its limits at each vertex with a threshold below 1, from high to low risk. `first` is the
 * index of the first such vertex.
 */
export const netBenefit = remembered((evaluation: Evaluation, limits: Limits, prevalence: number) => {
  const { thresholds, fpr, tpr } = evaluation;
  const testPrevalence = ownPrevalence(evaluation);
  const first = thresholds.findIndex((threshold) => threshold < 1);
  const at = first < 0 ? thresholds.length : first;
  const cuts = thresholds.subarray(at).map((threshold) => Math.max(threshold, 0));
  const risk = cuts.map((threshold) => riskOf(threshold, testPrevalence, prevalence));
  const odds = cuts.map((threshold) => oddsOf(threshold, testPrevalence, prevalence));
  const benefit = (t: Float64Array, f: Float64Array) =>
    odds.map((o, i) => netBenefitAt(t[at + i], f[at + i], o, prevalence));
  return {
    line: { x: risk, y: benefit(tpr, fpr) },
    lower: benefit(limits.tprLower, limits.fprUpper),
    upper: benefit(limits.tprUpper, limits.fprLower),
    first: at,
  };
});
