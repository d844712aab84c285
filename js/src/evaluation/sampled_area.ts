// The area under a classifier's curve with more test data: DeLong's limits; their twin is sampling_interval.py.

import { expit, logit } from "../base/logit.ts";
import { deviations } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";

/** Numbers from which limits at any alpha are made: the variance, and the number of pairs of a positive and a negative that share no row. */
export interface SampledArea {
  variance: number;
  pairs: number;
}

/** Limits of the area on the logit scale; without a variance, limits from the number of pairs, which hold for every sample size. */
export function areaLimits(auc: number, { variance, pairs }: SampledArea, alpha: number): Pair<number> {
  if (variance === 0) return limitsByPairs(auc, pairs, alpha);
  return logitLimits(auc, deviations(alpha) * Math.sqrt(variance));
}

/** Limits `half` around a value between 0 and 1, stretched to the scale of the logit. */
export function logitLimits(value: number, half: number): Pair<number> {
  const centre = logit(value);
  const stretched = half / (value * (1 - value));
  return [Math.min(expit(centre - stretched), value), Math.max(expit(centre + stretched), value)];
}

/** Limits from pairs alone: Clopper and Pearson's if all pairs are in order, or none is; else Hoeffding's. */
function limitsByPairs(auc: number, pairs: number, alpha: number): Pair<number> {
  if (pairs === 0) return [0, 1];
  const each = Math.log(alpha / 2) / pairs;
  if (auc === 1) return [Math.max(1 + Math.expm1(each), 0), 1];
  if (auc === 0) return [0, -Math.expm1(each)];
  const half = Math.sqrt(-each / 2);
  return [Math.max(auc - half, 0), Math.min(auc + half, 1)];
}
