// Computes the limits that more test rows would give if all rates and areas stayed the same. In Python: more_rows.py.

import type { Pair } from "../base/pair.ts";
import { areaLimits } from "./estimate.ts";
import { exactLimits, incompleteBeta, lowerLimit } from "./exact_limits.ts";
import { reached } from "./goal.ts";
import type { Evaluation, GoalRate, PopulationWish } from "./types.ts";

/** The search for the number of rows that a goal needs stops here. */
const MOST_ROWS = 1e9;

export interface MoreRows {
  /** The number of rows of both labels, in the test set's proportions. */
  rows: number;
  rate: GoalRate;
  /** Clopper and Pearson's limits of the rate at the threshold. */
  limits: Pair<number>;
  /** The one-sided lower limit of the rate, which is compared with the goal. */
  least: number;
  /** DeLong's limits of the area. Null if a label has a single row. */
  area: Pair<number> | null;
}

/**
 * Returns the limits that `rows` test rows would give at a threshold fixed beforehand. Null if rows have weights or
 * groups, or if the rate is undefined.
 */
export function moreRows(
  evaluation: Evaluation,
  rate: GoalRate,
  threshold: number,
  alpha: number,
  rows: number,
): MoreRows | null {
  const { auc, area, nRows } = evaluation;
  const found = countsAt(evaluation, rate, threshold);
  if (found === null) return null;
  const times = rows / (nRows[0] + nRows[1]);
  const [k, n] = found.map((each) => each * times);
  const scaled = area && {
    variance: area.variance / times,
    rows: Math.floor(area.rows * times + 1e-9),
  };
  return {
    ...{ rows, rate },
    limits: exactLimits(k, n, alpha),
    least: lowerLimit(k, n, alpha),
    area: scaled && areaLimits(auc, scaled, alpha),
  };
}

/**
 * Returns the smallest number of test rows with which the goal would be kept at this threshold. Null if the rate does
 * not exceed the goal, because no number is then enough.
 */
export function enoughRows(
  evaluation: Evaluation,
  { rate, least }: PopulationWish,
  threshold: number,
  alpha: number,
): number | null {
  const found = countsAt(evaluation, rate, threshold);
  if (found === null || found[0] / found[1] <= least) return null;
  const [k, n] = found.map((each) => each / (evaluation.nRows[0] + evaluation.nRows[1]));
  const keeps = (rows: number) => incompleteBeta(least, k * rows, (n - k) * rows + 1) <= alpha;
  if (!keeps(MOST_ROWS)) return null;
  let [low, high] = [0, MOST_ROWS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (keeps(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns successes and trials of the rate. Null if there are no trials, or if rows have weights or groups. */
function countsAt(evaluation: Evaluation, rate: GoalRate, threshold: number): Pair<number> | null {
  const { k, n } = reached(evaluation, rate, threshold);
  return n > 0 && !evaluation.weighted ? [k, n] : null;
}
