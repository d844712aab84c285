// Limits of precision and net benefit with more test data, of rows that count alike; their twin is settled.py.

import type { Pair } from "../base/pair.ts";
import { exactLimits } from "./exact_limits.ts";

/** At most this many vertices of a curve have limits of their own: no screen parts more. */
const MOST_PLACES = 101;

/** Which of n vertices have limits: all, or so many at even steps, the first and the last. */
export function placesOf(n: number): number[] {
  const length = Math.min(n, MOST_PLACES);
  return Array.from({ length }, (_, i) => Math.floor((i * (n - 1)) / Math.max(length - 1, 1)));
}

/** The precision at the same rates, if `share` is positive in place of the rows' `own` share. */
export function movedPrecision(precision: number, own: number, share: number): number {
  const rightly = precision * (share / own);
  return rightly / (rightly + (1 - precision) * ((1 - share) / (1 - own)));
}

/** Exact limits of the share of right calls, moved to a share of positives. */
export function settledPrecision(
  [fp, tp]: Pair<number>,
  alpha: number,
  own: number,
  share: number,
): Pair<number> {
  const [lower, upper] = fp + tp === 0 ? [0, 1] : exactLimits(tp, tp + fp, alpha);
  return [movedPrecision(lower, own, share), movedPrecision(upper, own, share)];
}

/** Limits of the net benefit from the exact limits of both rates, which err independently (Zou and Donner 2008). */
export function settledBenefit(
  calls: Pair<number>,
  n: Pair<number>,
  alpha: number,
  odds: number,
  share: number,
): Pair<number> {
  const weights = [-(1 - share) * odds, share];
  const rates = calls.map((called, k) => called / n[k]);
  const ends = calls.map((called, k) => exactLimits(called, n[k], alpha));
  const value = weights[0] * rates[0] + weights[1] * rates[1];
  // A false alarm costs, so that the upper limit of its rate makes the lower one here.
  const far = (side: 0 | 1) =>
    Math.hypot(weights[0] * (ends[0][1 - side] - rates[0]), weights[1] * (ends[1][side] - rates[1]));
  return [value - far(0), value + far(1)];
}
