// Reads the limits of the ideal model's own ROC curve at one alpha. The ideal model's scores are the true risks. In
// Python: evaluation/ideal_curve.py.

import { nearestInRatio } from "../base/nearest.ts";
import type { Pair } from "../base/pair.ts";
import type { Line } from "./observed_curve.ts";
import type { Json, Words } from "./types.ts";

/** Limits of the ideal model's curve at each alpha of the slider, as numbers of positives among n. */
export interface IdealTable {
  /** Key of the evaluation. */
  entry: Json;
  n: number;
  fpr: Float64Array;
  alphas: Float64Array;
  /** Limits of the true positive rate: a row for each false positive rate, a column for each alpha. */
  lower: Float64Array;
  upper: Float64Array;
  median: Line;
  /**
   * `auc` has the limits of the ideal model's area, `gain` has the limits of the difference between this area
   * and the classifier's area. Each array has the lower limits at all alphas, then the upper limits.
   */
  auc: Float32Array;
  gain: Float32Array;
  words: Words;
}

export type IdealCurve = ReturnType<typeof idealAt>;

/** Returns the limits of `table` at its alpha nearest in ratio to `alpha`. */
export function idealAt(table: IdealTable, alpha: number) {
  const { fpr, alphas, n } = table;
  const column = nearestInRatio(alphas, alpha);
  const at = (counts: Float64Array): Line => ({
    x: fpr,
    y: Float64Array.from(fpr, (_, row) => counts[row * alphas.length + column] / n),
  });
  const known = alphas[column];
  const interval = (values: Float32Array): Pair<number> => [values[column], values[alphas.length + column]];
  return {
    table,
    alpha: known,
    lower: at(table.lower),
    upper: at(table.upper),
    median: table.median,
    auc: interval(table.auc),
    gain: interval(table.gain),
  };
}

/**
 * Returns the limits of the true positive rate at a false positive rate. If it is not on the grid, the limits at the
 * next lower rate are returned.
 */
export function idealLimits({ lower, upper }: IdealCurve, fpr: number): Pair<number> {
  const row = rowAt(lower.x, fpr);
  return [lower.y[row], upper.y[row]];
}

/** Returns the median of the true positive rate at a false positive rate, read as in `idealLimits`. */
export const idealMedian = ({ median }: IdealCurve, fpr: number): number => median.y[rowAt(median.x, fpr)];

function rowAt(rates: Float64Array, fpr: number): number {
  let row = 0;
  while (row + 1 < rates.length && rates[row + 1] <= fpr + 1e-9) row++;
  return row;
}
