// Figures of acting at a threshold, where a given share is positive and a miss has a given cost.

import type { Pair } from "../base/pair.ts";
import { ownPrevalence } from "./precision_recall.ts";
import type { RuledThreshold } from "./threshold_rules.ts";
import { costTarget } from "./threshold_rules.ts";
import type { Evaluation, OperatingPoint } from "./types.ts";
import { BOTH, type Sides } from "./vacuous.ts";

export interface UseMetric {
  name: string;
  /** The figure on these points; NaN if it is undefined. */
  observed: number;
  /** The least and the most figure with both rates inside their limits; null if one of the two is undefined. */
  range: Pair<number> | null;
  /** Which ends of the range are limits. */
  sides: Sides;
  /** The smallest and the largest possible value. */
  scale: Pair<number>;
}

type Formula = (tpr: number, fpr: number, share: number) => number;

/** Name, formula and direction: 1 if it rises with the TPR and falls with the FPR, -1 if it does the opposite. */
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

/** All figures with their ranges; `joint` says which limits exist of what rises with the TPR and falls with the FPR. */
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

/** How many of so many cases are called, missed, wrongly called and left alone; both classes keep their sums. */
export function frequencies({ tpr, fpr }: OperatingPoint, share: number, cases = 1000) {
  const positives = Math.round(share * cases);
  const tp = Math.round(tpr * positives);
  const fp = Math.round(fpr * (cases - positives));
  return { tp, fn: positives - tp, fp, tn: cases - positives - fp };
}

/** Expected cost of a case, in false alarms. */
export const expectedCost = (
  { tpr, fpr }: Pick<OperatingPoint, "tpr" | "fpr">,
  share: number,
  cost: number,
) => cost * share * (1 - tpr) + (1 - share) * fpr;

/** The threshold of least cost if `share` is positive: that on the test points, for a miss that costs more as positives are more. */
export function leastCost(evaluation: Evaluation, share: number, cost: number): RuledThreshold {
  const testPrevalence = ownPrevalence(evaluation);
  return costTarget(evaluation, (cost * share * (1 - testPrevalence)) / ((1 - share) * testPrevalence));
}
