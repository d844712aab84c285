// Whether the limits of a label say anything, and why not.

import { percent } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { residualsNeeded } from "./quantiles.ts";
import type { Evaluation, Frame, Label, OrderStatistic } from "./types.ts";

/** Whether an interval of the label ends anywhere: false where all of them are everything from 0 to 1. */
export function hasLimits({ orderStatistics, local }: Frame, label: Label): boolean {
  if (orderStatistics === null) return local === null || local.vacuousShare[label] < 1;
  return orderStatistics[label].some(({ residual }) => Number.isFinite(residual));
}

/** Why the limits of a label say nothing, in Python's words; null where they say something. */
export function vacuousReason(
  { nCalibration, rule, firstAlpha }: Evaluation,
  label: Label,
  [lower, upper]: Pair<OrderStatistic>,
  alpha: number,
): string | null {
  if (lower.residual > Number.NEGATIVE_INFINITY || upper.residual < Number.POSITIVE_INFINITY) return null;
  const n = nCalibration[label];
  const { one, both } = residualsNeeded(alpha, rule);
  const most = percent(Number((n / (n + 1)).toFixed(3)));
  return (
    `Label ${label} has too few calibration points for ${percent(1 - alpha)}. Its ${n} points can ` +
    `promise at most ${n}/${n + 1} = ${most}, so its interval is everything from 0 to 1. One limit ` +
    `appears from α = ${firstAlpha[label]}, or with ${one} points; two limits at α = ` +
    `${Number(alpha.toPrecision(6))} take ${both} points.`
  );
}
