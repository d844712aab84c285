// What limits would be with more rows, if the figures stayed as they are; its twin is more_rows.py.

import type { Pair } from "../base/pair.ts";
import { countsAt } from "./at_alpha.ts";
import { areaLimits } from "./estimate.ts";
import { exactLimits, incompleteBeta, lowerLimit } from "./exact_limits.ts";
import { countsOf } from "./population_threshold.ts";
import type { Evaluation, GoalRate, PopulationWish } from "./types.ts";

/** With more rows than this, no number does for a goal. */
const MOST_ROWS = 1e9;

export interface MoreRows {
  /** Rows of both labels, in the shares of the test set. */
  rows: number;
  rate: GoalRate;
  /** Clopper and Pearson's limits of the rate at the threshold. */
  limits: Pair<number>;
  /** The one-sided lower limit, which decides a goal. */
  least: number;
  /** DeLong's limits of the area; null if a label has one row. */
  area: Pair<number> | null;
}

/** Limits with so many rows, at a threshold that is fixed beforehand; null if rows do not count alike, or none is counted. */
export function moreRows(
  evaluation: Evaluation,
  rate: GoalRate,
  threshold: number,
  alpha: number,
  rows: number,
): MoreRows | null {
  const { auc, area, nRows } = evaluation;
  const found = reached(evaluation, rate, threshold);
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

/** The fewest rows with which a goal would be kept at this threshold; null if none would do, since the rate is not above it. */
export function enoughRows(
  evaluation: Evaluation,
  { rate, least }: PopulationWish,
  threshold: number,
  alpha: number,
): number | null {
  const found = reached(evaluation, rate, threshold);
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

/** Successes and trials of the rate; null if no limits of it are known. */
function reached(evaluation: Evaluation, rate: GoalRate, threshold: number): Pair<number> | null {
  if (evaluation.weighted) return null;
  const { fp, tp } = countsAt(evaluation, threshold);
  const [zeros, ones] = evaluation.nTest;
  const counts = countsOf(rate, { tp, fp, tn: zeros - fp, fn: ones - tp });
  return counts[1] > 0 ? counts : null;
}
