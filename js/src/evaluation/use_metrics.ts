// Computes metrics for the place where the classifier will be used, from the prevalence and the cost of a miss there.

import type { Pair } from "../base/pair.ts";
import { ownPrevalence } from "./precision_recall.ts";
import type { RuledThreshold } from "./threshold_rules.ts";
import { costTarget } from "./threshold_rules.ts";
import type { Evaluation, OperatingPoint } from "./types.ts";
import { BOTH, type Sides } from "./vacuous.ts";

export interface UseMetric {
  name: string;
  /** The metric on the test points. NaN if undefined. */
  observed: number;
  /** The smallest and the largest value of the metric within the limits of both rates. Null if either is undefined. */
  range: Pair<number> | null;
  /** Which ends of the range are limits. The other ends are the smallest or largest possible value. */
  sides: Sides;
  /** The smallest and the largest possible value of the metric. */
  scale: Pair<number>;
}

type Formula = (tpr: number, fpr: number, share: number) => number;

/**
 * Name, formula and direction of each metric. The direction is 1 if the metric rises with the TPR and falls with the
 * FPR, and -1 if it does the opposite.
 */
const FORMULAS: [name: string, formula: Formula, direction: 1 | -1, scale?: Pair<number>][] = [
  ["PPV", (t, f, s) => (t * s) / (t * s + f * (1 - s)), 1],
  ["NPV", (t, f, s) => ((1 - f) * (1 - s)) / ((1 - f) * (1 - s) + (1 - t) * s), 1],
  ["Accuracy", (t, f, s) => t * s + (1 - f) * (1 - s), 1],
  ["Balanced accuracy", (t, f) => (t + 1 - f) / 2, 1],
  ["F1", (t, f, s) => (2 * t * s) / (t * s + f * (1 - s) + s), 1],
  ["MCC", mcc, 1, [-1, 1]],
  ["Likelihood ratio +", (t, f) => t / f, 1, [0, Number.POSITIVE_INFINITY]],
  ["Likelihood ratio −", (t, f) => (1 - t) / (1 - f), -1, [0, Number.POSITIVE_INFINITY]],
];

function mcc(t: number, f: number, s: number): number {
  const called = t * s + f * (1 - s);
  return ((t - f) * s * (1 - s)) / Math.sqrt(called * (1 - called) * s * (1 - s));
}

/**
 * Returns all metrics at the prevalence `share`, with their ranges. `joint` tells which limits a metric of direction 1
 * has.
 */
export function useMetrics(point: OperatingPoint, share: number, joint = BOTH): UseMetric[] {
  const { tpr, fpr, tprLower, tprUpper, fprLower, fprUpper } = point;
  return FORMULAS.map(([name, formula, direction, scale = [0, 1]]) => {
    const worst = formula(tprLower, fprUpper, share);
    const best = formula(tprUpper, fprLower, share);
    const isDefined = !Number.isNaN(worst) && !Number.isNaN(best);
    return {
      name,
      observed: formula(tpr, fpr, share),
      range: isDefined ? (direction > 0 ? [worst, best] : [best, worst]) : null,
      sides: direction > 0 ? joint : [joint[1], joint[0]],
      scale,
    };
  });
}

/**
 * Returns the confusion matrix of `cases` cases at the prevalence `share`, in whole cases. Rounding does not change the
 * number of cases of a class.
 */
export function frequencies({ tpr, fpr }: OperatingPoint, share: number, cases = 1000) {
  const positives = Math.round(share * cases);
  const tp = Math.round(tpr * positives);
  const fp = Math.round(fpr * (cases - positives));
  return { tp, fn: positives - tp, fp, tn: cases - positives - fp };
}

/** Returns the expected cost per case. A false positive costs 1. */
export const expectedCost = (
  { tpr, fpr }: Pick<OperatingPoint, "tpr" | "fpr">,
  share: number,
  cost: number,
) => cost * share * (1 - tpr) + (1 - share) * fpr;

/**
 * Returns the threshold with the lowest expected cost at the prevalence `share`. The search uses costs of the
 * test points, whose prevalence differs. So the cost of a miss is multiplied by the ratio of the odds of the
 * two prevalences.
 */
export function leastCost(evaluation: Evaluation, share: number, cost: number): RuledThreshold {
  const testPrevalence = ownPrevalence(evaluation);
  return costTarget(evaluation, (cost * share * (1 - testPrevalence)) / ((1 - share) * testPrevalence));
}
