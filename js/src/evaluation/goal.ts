// Tells whether a goal is reached at a threshold, and which threshold reaches it. A goal is a rate and its smallest
// accepted value.

import type { Pair } from "../base/pair.ts";
import { countsAt } from "./at_alpha.ts";
import { exactLimits } from "./exact_limits.ts";
import { countsOf, isKept, mostPromised, populationThreshold, rowsOf } from "./population_threshold.ts";
import type { Confusion, Evaluation, GoalRate, PopulationWish } from "./types.ts";

/**
 * Sliders round their values. If the relative difference between a threshold and the goal's threshold is at most this,
 * and no other threshold is nearer, the two count as equal.
 */
const ON_THE_MARK = 1e-9;

/** The goal's rate at a threshold, on the test rows. */
export interface Reached {
  threshold: number;
  called: Confusion;
  /** The rate is k / n. If n is 0, `value` is null. */
  k: number;
  n: number;
  value: number | null;
}

export interface GoalVerdict {
  wish: PopulationWish;
  alpha: number;
  /**
   * Whether the rate in the population is at least the goal at this threshold, with confidence 1 - alpha: yes
   * ("kept"), no ("missed") or unknown ("open").
   */
  verdict: "kept" | "missed" | "open";
  here: Reached;
  /**
   * Clopper and Pearson's limits of the rate at this threshold. Null if the verdict's own limit ("at least") is shown
   * instead.
   */
  limits: Pair<number> | null;
  /** Whether this threshold is the threshold of `found`. */
  isOn: boolean;
  /** The threshold at which the goal is guaranteed, chosen on the test rows. Null if there is none. */
  found: Reached | null;
  /**
   * What the goal costs: the number of false positives (`what` is "fp") or of false negatives ("fn") at the
   * threshold of `found` (`there`) and at this threshold (`here`). The counted errors are those that increase
   * as the rate rises. Null if `found` is null, or if the rate is accuracy.
   */
  price: { what: "fp" | "fn"; there: number; here: number } | null;
  /**
   * Returns the highest value of the rate that can be guaranteed at some threshold. More rows of the kind `rows`
   * would make it higher. `n` is the present number of these rows.
   */
  most(): number;
  rows: "positives" | "negatives" | "rows";
  n: number;
}

/** Which errors increase if the threshold moves so that a rate rises: false positives or false negatives. */
const PAID_WITH = {
  sensitivity: "fp",
  npv: "fp",
  specificity: "fn",
  precision: "fn",
  accuracy: null,
} as const;

/**
 * Returns what is known about a goal at a threshold. Null if rows have weights or groups, because there is no exact
 * test for them.
 */
export function goalVerdict(
  evaluation: Evaluation,
  wish: PopulationWish,
  threshold: number,
  alpha: number,
): GoalVerdict | null {
  if (evaluation.weighted) return null;
  const kept = populationThreshold(evaluation, wish, alpha);
  const here = reached(evaluation, wish.rate, threshold);
  const found = kept && reached(evaluation, wish.rate, kept.threshold);
  const limits = exactLimits(here.k, here.n, alpha);
  const off = kept === null ? Number.POSITIVE_INFINITY : Math.abs(kept.threshold - threshold);
  const isOn =
    off <= ON_THE_MARK * Math.abs(threshold) &&
    !evaluation.thresholds.some((each) => Math.abs(each - threshold) < off);
  const keeps = isOn || isKept(evaluation, wish, alpha, threshold);
  const what = PAID_WITH[wish.rate];
  return {
    ...{ wish, alpha, here, isOn, found },
    verdict: keeps ? "kept" : here.n > 0 && limits[1] < wish.least ? "missed" : "open",
    limits: here.n === 0 || isOn || (keeps && limits[0] < wish.least) ? null : limits,
    price: what && found ? { what, there: found.called[what], here: here.called[what] } : null,
    most: () => mostPromised(evaluation, wish.rate, alpha),
    ...rowsOf(wish.rate, evaluation.nTest),
  };
}

/** Returns the rate at a threshold, with the counts of all four cells. */
export function reached(evaluation: Evaluation, rate: GoalRate, threshold: number): Reached {
  const { fp, tp } = countsAt(evaluation, threshold);
  const [zeros, ones] = evaluation.nTest;
  const called = { tp, fp, tn: zeros - fp, fn: ones - tp };
  const [k, n] = countsOf(rate, called);
  return { threshold, called, k, n, value: n > 0 ? k / n : null };
}
