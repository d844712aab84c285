// The ideal model's own curve at one alpha; its twin is evaluation/ideal_curve.py.

import { nearestInRatio } from "../base/nearest.ts";
import type { Pair } from "../base/pair.ts";
import type { Line } from "./observed_curve.ts";
import type { Json, Words } from "./types.ts";

/** Candidates for the curve, as counts of n positives at the alphas of a slider. */
export interface IdealTable {
  /** Key of the entry whose curve this is. */
  entry: Json;
  n: number;
  fpr: Float64Array;
  alphas: Float64Array;
  /** Limits: a row for each false positive rate, a column for each alpha. */
  lower: Float64Array;
  upper: Float64Array;
  median: Line;
  /** Lower limits at the alphas, then the upper ones. */
  auc: Float32Array;
  gain: Float32Array;
  words: Words;
}

export type IdealCurve = ReturnType<typeof idealAt>;

/** The table at one alpha. */
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

/** Limits at a false positive rate: at the largest rate of the grid that is not above it. */
export function idealLimits({ lower, upper }: IdealCurve, fpr: number): Pair<number> {
  const row = rowAt(lower.x, fpr);
  return [lower.y[row], upper.y[row]];
}

/** Median at the same rate. */
export const idealMedian = ({ median }: IdealCurve, fpr: number): number => median.y[rowAt(median.x, fpr)];

function rowAt(rates: Float64Array, fpr: number): number {
  let row = 0;
  while (row + 1 < rates.length && rates[row + 1] <= fpr + 1e-9) row++;
  return row;
}
