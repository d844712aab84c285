// Brier score and log loss with more test data, from what Python has summed up; their twin is losses.py.

import { deviations } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { logitLimits } from "./sampled_area.ts";

/** A mean of what rows lose; its variance is 0 where the rows do not tell it. */
export interface MeanLoss {
  name: string;
  value: number;
  variance: number;
  /** Whether one row makes much of the variance. */
  isHeavy: boolean;
  /** The largest that it can be. */
  most: number;
}

export type Losses = Pair<MeanLoss>;

/** If the relative standard error of a mean is larger than this, a few rows make most of it. */
const LARGEST_ERROR = 20 ** -0.5;

/** The share of the variance that is much. */
const LARGEST_SHARE = 0.3;

type Numbers = Pick<MeanLoss, "value" | "variance" | "isHeavy">;

export const lossesOf = (brier: Numbers, logLoss: Numbers): Losses => [
  { ...brier, name: words("loss.brier_score"), most: 1 },
  { ...logLoss, name: words("loss.log_loss"), most: Number.POSITIVE_INFINITY },
];

/** Limits of a loss, on the scale of its logarithm if it has no largest value, else of its logit. */
export function lossLimits({ value, variance, most }: MeanLoss, alpha: number): Pair<number> {
  if (value === Number.POSITIVE_INFINITY) return [value, value];
  if (variance === 0) return [0, most];
  const half = deviations(alpha) * Math.sqrt(variance);
  if (most === 1) return logitLimits(value, half);
  return [value * Math.exp(-half / value), value * Math.exp(half / value)];
}

/** A note where there are no limits, or where few rows make them; else empty. */
export function lossNote({ name, value, variance, isHeavy }: MeanLoss): string {
  if (value === Number.POSITIVE_INFINITY) return words("loss.infinite", { name });
  if (variance === 0) return words("loss.no_variance", { name });
  const error = Math.sqrt(variance) / value;
  if (error > LARGEST_ERROR) return words("loss.few", { name, error });
  return isHeavy ? words("loss.heavy", { name, share: LARGEST_SHARE }) : "";
}
