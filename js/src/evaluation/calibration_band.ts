// Reads the bounds of P(y = 1 | score) that hold at every score at once. The kernel computes them. In Python:
// calibration_band.py.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import type { Evaluation, Frame, Ranges, Reliability, ReliabilityStop } from "./types.ts";

export interface CalibrationBand extends Ranges, ReliabilityStop {
  /**
   * Whether a lower bound exceeds the upper bound at the same score. The labels then contradict the assumption that P(y
   * = 1 | score) never falls as the score rises.
   */
  refuted: boolean;
}

export const hasReliability = (evaluation: Evaluation, frame: Frame) =>
  (frame.reliability ?? evaluation.reliability) !== null;

/**
 * Returns the calibration band at the frame's alpha. If there is no band at this alpha, returns the band at
 * the next lower alpha, which has a higher confidence.
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

/** Returns bounds of 0 and 1, which are used if alpha is below every alpha with bounds. */
function nothing(of: Reliability | null): Ranges & ReliabilityStop {
  if (of === null) throw new TypeError("a reliability that has not come");
  const { first, last, isotonic } = of;
  return { first, last, isotonic, alpha: 0, lower: first.map(() => 0), upper: first.map(() => 1) };
}

/**
 * Returns the bounds at a score: the lower bound at the nearest known score that is not above it, and the upper bound
 * at the nearest known score that is not below it.
 */
export function boundsAt({ first, last, lower, upper }: CalibrationBand, score: number): Pair<number> {
  const below = partitionPoint(last.length, (i) => last[i] <= score);
  const above = partitionPoint(first.length, (i) => first[i] < score);
  return [below > 0 ? lower[below - 1] : 0, above < upper.length ? upper[above] : 1];
}

/**
 * Returns the isotonic regression at a score: its value at the nearest known score that is not above this
 * score. Below all known scores, returns the first value.
 */
export function isotonicAt({ first, isotonic }: CalibrationBand, score: number): number {
  return isotonic[Math.max(partitionPoint(first.length, (i) => first[i] <= score) - 1, 0)];
}
