// Sides on which a label has limits, and how many points it lacks for them.

import type { Pair } from "../base/pair.ts";
import { residualsNeeded } from "./quantiles.ts";
import type { Evaluation, Findings, Label, Statement } from "./types.ts";

/** Whether the share of a label that is called positive has a lower limit, and an upper one. */
export type Sides = Pair<boolean>;

export const BOTH: Sides = [true, true];

/** Which limits of a label exist: false if no interval ends on that side. */
export function sidesOf({ orderStatistics, local }: Findings, label: Label): Sides {
  if (orderStatistics !== null) {
    const [lower, upper] = orderStatistics[label];
    return [Number.isFinite(lower.residual), Number.isFinite(upper.residual)];
  }
  if (local === null) return BOTH;
  const [noLower, noUpper] = local.missing[label];
  return [!noLower, !noUpper];
}

/** Which limits a figure has that grows with sensitivity and specificity: the lower (upper) one needs that of both. */
export function jointSides(findings: Findings): Sides {
  const [[low0, high0], [low1, high1]] = [sidesOf(findings, 0), sidesOf(findings, 1)];
  return [low1 && high0, high1 && low0];
}

/** Whether each test point has limits from residuals of its own, such as those near it: from fewer than calibrate in all. */
export const isLocalized = ({ orderStatistics, kind }: Statement) =>
  orderStatistics === null && kind === "individual";

/** Whether any interval of the label has an end: false if all of them go from 0 to 1. */
export function hasLimits(frame: Findings, label: Label): boolean {
  const [lower, upper] = sidesOf(frame, label);
  return lower || upper;
}

/** The number of calibration rows from which the missing limits of the label exist; null if more rows would not help. */
export function pointsLacking(
  { nCalibration, rule }: Pick<Evaluation, "nCalibration" | "rule">,
  frame: Findings & { alpha: number },
  label: Label,
): { needed: number; here: number } | null {
  if (frame.orderStatistics?.[label][0].rank == null) return null;
  const { one, both } = residualsNeeded(frame.alpha, rule);
  const needed = hasLimits(frame, label) ? both : one;
  const here = nCalibration[label];
  return here < needed ? { needed, here } : null;
}
