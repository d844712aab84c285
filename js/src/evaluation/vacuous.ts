// Tells which limits of a rate are missing, and how many more calibration points they need.

import type { Pair } from "../base/pair.ts";
import { residualsNeeded } from "./quantiles.ts";
import type { Evaluation, Findings, Label, Statement } from "./types.ts";

/**
 * Whether a rate (the share of a label's rows that are predicted positive) has a lower limit, and whether it has an
 * upper limit.
 */
export type Sides = Pair<boolean>;

export const BOTH: Sides = [true, true];

/**
 * Returns which limits of a label's rate exist. The lower limit is missing if no interval has a lower end,
 * and the upper limit if no interval has an upper end.
 */
export function sidesOf({ orderStatistics, local }: Findings, label: Label): Sides {
  if (orderStatistics !== null) {
    const [lower, upper] = orderStatistics[label];
    return [Number.isFinite(lower.residual), Number.isFinite(upper.residual)];
  }
  if (local === null) return BOTH;
  const [noLower, noUpper] = local.missing[label];
  return [!noLower, !noUpper];
}

/**
 * Returns which limits exist for a figure that rises with sensitivity and specificity. The figure has a lower
 * limit if sensitivity and specificity have one, and likewise an upper limit.
 */
export function jointSides(findings: Findings): Sides {
  const [[low0, high0], [low1, high1]] = [sidesOf(findings, 0), sidesOf(findings, 1)];
  return [low1 && high0, high1 && low0];
}

/**
 * Whether each test point has its own order statistics of the residuals, such as those of the nearest calibration
 * points.
 */
export const isLocalized = ({ orderStatistics, kind }: Statement) =>
  orderStatistics === null && kind === "individual";

/** Whether any interval of the label has a finite end. If not, all its intervals go from 0 to 1. */
export function hasLimits(frame: Findings, label: Label): boolean {
  const [lower, upper] = sidesOf(frame, label);
  return lower || upper;
}

/**
 * Returns how many calibration rows the label needs for its missing limits (`needed`), and how many it has (`here`).
 * Null if no limit is missing, or if more rows would not help.
 */
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
