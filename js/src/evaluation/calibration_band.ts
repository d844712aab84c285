// Bounds of P(y = 1 | score) at every score at once, as the kernel computed them; see calibration_band.py.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import type { Evaluation, Frame, Ranges, Reliability, ReliabilityStop } from "./types.ts";

export interface CalibrationBand extends Ranges, ReliabilityStop {
  /** Lower bounds exceed upper ones: the labels refute that a higher score never means a lower probability. */
  refuted: boolean;
}

export const hasReliability = (evaluation: Evaluation, frame: Frame) =>
  (frame.reliability ?? evaluation.reliability) !== null;

/**
 * The calibration band at an alpha: that of a frame where it has one, else that of the next stop below, which holds
 * more surely than asked.
 */
export const reliability = (evaluation: Evaluation, { alpha, reliability: own }: Frame): CalibrationBand =>
  bandAt(evaluation, own, alpha);

const bandAt = remembered(
  ({ reliability: known }: Evaluation, own: Reliability | null, alpha: number): CalibrationBand => {
    const found = [own, known]
      .flatMap(
        (of) => of?.stops.filter((stop) => stop.alpha <= alpha).map((stop) => ({ ...of, ...stop })) ?? [],
      )
      .reduce((best, band) => (band.alpha > best.alpha ? band : best), nothing(own ?? known));
    return { ...found, refuted: found.lower.some((low, i) => low > found.upper[i]) };
  },
);

/** Used if alpha is below every stop: bounds of 0 and 1. */
function nothing(of: Reliability | null): Ranges & ReliabilityStop {
  if (of === null) throw new TypeError("a reliability that has not come");
  const { first, last, isotonic } = of;
  return { first, last, isotonic, alpha: 0, lower: first.map(() => 0), upper: first.map(() => 1) };
}

/** Bounds at any score: the lower bound of the scores at or below it, the upper bound of those at or above it. */
export function boundsAt({ first, last, lower, upper }: CalibrationBand, score: number): Pair<number> {
  const below = partitionPoint(last.length, (i) => last[i] <= score);
  const above = partitionPoint(first.length, (i) => first[i] < score);
  return [below > 0 ? lower[below - 1] : 0, above < upper.length ? upper[above] : 1];
}

/** Isotonic regression at any score: its value at the nearest score that is not above; below all scores the first value. */
export function isotonicAt({ first, isotonic }: CalibrationBand, score: number): number {
  return isotonic[Math.max(partitionPoint(first.length, (i) => first[i] <= score) - 1, 0)];
}
