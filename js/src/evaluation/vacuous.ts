// Whether the limits of a label say anything, and why not.

import { percent } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { residualsNeeded } from "./quantiles.ts";
import type { Evaluation, Findings, Label, OrderStatistic } from "./types.ts";

/** Whether the share of a label that is called positive has a lower limit, and an upper one. */
export type Sides = Pair<boolean>;

export const BOTH: Sides = [true, true];

/** The limits that there are: false where no interval of the label ends on that side. */
export function sidesOf({ orderStatistics, local }: Findings, label: Label): Sides {
  if (orderStatistics !== null) {
    const [lower, upper] = orderStatistics[label];
    return [Number.isFinite(lower.residual), Number.isFinite(upper.residual)];
  }
  if (local === null) return BOTH;
  const [noLower, noUpper] = local.missing[label];
  return [!noLower, !noUpper];
}

/** Ends of a range of something that grows with both rates: each is a limit where both labels have one. */
export function jointSides(findings: Findings): Sides {
  const [[low0, high0], [low1, high1]] = [sidesOf(findings, 0), sidesOf(findings, 1)];
  return [low1 && high0, high1 && low0];
}

/** Whether an interval of the label ends anywhere: false where all of them are everything from 0 to 1. */
export function hasLimits(frame: Findings, label: Label): boolean {
  const [lower, upper] = sidesOf(frame, label);
  return lower || upper;
}

/** Calibration points of the label from which the limits that it lacks appear; null where points are not what is lacking. */
export function pointsLacking(
  { nCalibration, rule }: Pick<Evaluation, "nCalibration" | "rule">,
  frame: Findings & { alpha: number },
  label: Label,
): { needed: number; here: number } | null {
  if (frame.orderStatistics === null) return null;
  const { one, both } = residualsNeeded(frame.alpha, rule);
  const needed = hasLimits(frame, label) ? both : one;
  const here = nCalibration[label];
  return here < needed ? { needed, here } : null;
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
    `promise at most ${n}/${n + 1} = ${most}, so it has no limits. One limit ` +
    `appears from α = ${firstAlpha[label]}, or with ${one} points; two limits at α = ` +
    `${Number(alpha.toPrecision(6))} take ${both} points.`
  );
}
