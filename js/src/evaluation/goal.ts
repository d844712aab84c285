// Whether a goal is reached at a threshold, and which threshold reaches it.

import type { Pair } from "../base/pair.ts";
import { countsAt } from "./at_alpha.ts";
import { exactLimits } from "./exact_limits.ts";
import { countsOf, isKept, mostPromised, populationThreshold } from "./population_threshold.ts";
import type { Confusion, Evaluation, PopulationWish } from "./types.ts";

/** A threshold that differs by so small a part of itself from the one that keeps a goal stands on it, since sliders round. */
const ON_THE_MARK = 1e-9;

/** A rate at a threshold, on these rows. */
export interface Reached {
  threshold: number;
  called: Confusion;
  /** The rate is k of n; null if n is 0. */
  k: number;
  n: number;
  value: number | null;
}

export interface GoalVerdict {
  wish: PopulationWish;
  alpha: number;
  /** Whether the goal holds in the population with confidence: yes at this threshold, no, or unknown. */
  verdict: "kept" | "missed" | "open";
  here: Reached;
  /** Clopper and Pearson's limits of the rate here; null if the goal's own limit, at least so much, takes their place. */
  limits: Pair<number> | null;
  /** Whether the threshold is the one that was found for the goal. */
  isOn: boolean;
  /** The threshold that keeps the goal, chosen on these rows; null if none can promise it. */
  found: Reached | null;
  /** The price of the goal's threshold: wrong calls of the other kind, there and here; null if there are no more of them. */
  price: { what: "fp" | "fn"; there: number; here: number } | null;
  /** The highest rate that any threshold can promise, and the kind of rows whose number limits it. */
  most: number;
  rows: "positives" | "negatives" | "rows";
  n: number;
}

/** The kind of wrong calls that grows if a rate is raised. */
const PAID_WITH = {
  sensitivity: "fp",
  npv: "fp",
  specificity: "fn",
  precision: "fn",
  accuracy: null,
} as const;

/** What is known of a goal at a threshold; null if rows do not count alike, so that no exact tail is known. */
export function goalVerdict(
  evaluation: Evaluation,
  wish: PopulationWish,
  threshold: number,
  alpha: number,
): GoalVerdict | null {
  if (evaluation.weighted) return null;
  const kept = populationThreshold(evaluation, wish, alpha);
  const here = reached(evaluation, wish, threshold);
  const found = kept && reached(evaluation, wish, kept.threshold);
  const limits = exactLimits(here.k, here.n, alpha);
  const isOn = kept !== null && Math.abs(kept.threshold - threshold) <= ON_THE_MARK * Math.abs(threshold);
  const keeps = isOn || isKept(evaluation, wish, alpha, threshold);
  const what = PAID_WITH[wish.rate];
  return {
    ...{ wish, alpha, here, isOn, found },
    verdict: keeps ? "kept" : here.n > 0 && limits[1] < wish.least ? "missed" : "open",
    limits: here.n === 0 || isOn || (keeps && limits[0] < wish.least) ? null : limits,
    price: what && found ? { what, there: found.called[what], here: here.called[what] } : null,
    ...mostPromised(evaluation, wish.rate, alpha),
  };
}

function reached(evaluation: Evaluation, { rate }: PopulationWish, threshold: number): Reached {
  const { fp, tp } = countsAt(evaluation, threshold);
  const [zeros, ones] = evaluation.nTest;
  const called = { tp, fp, tn: zeros - fp, fn: ones - tp };
  const [k, n] = countsOf(rate, called);
  return { threshold, called, k, n, value: n > 0 ? k / n : null };
}
