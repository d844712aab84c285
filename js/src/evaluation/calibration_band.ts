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
 * The band of the test points. Between two alphas it is that of the lower one, which holds more surely than asked; what
 * a frame brought is of its own alpha.
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

/** Below every alpha no bound is known. */
function nothing(of: Reliability | null): Ranges & ReliabilityStop {
  if (of === null) throw new TypeError("a reliability that has not come");
  const { first, last, isotonic } = of;
  return { first, last, isotonic, alpha: 0, lower: first.map(() => 0), upper: first.map(() => 1) };
}

/** Bounds at any score: the lower one of the scores below, the upper one of those above. */
export function boundsAt({ first, last, lower, upper }: CalibrationBand, score: number): Pair<number> {
  const below = partitionPoint(last.length, (i) => last[i] <= score);
  const above = partitionPoint(first.length, (i) => first[i] < score);
  return [below > 0 ? lower[below - 1] : 0, above < upper.length ? upper[above] : 1];
}

/** Isotonic regression at any score: that of the scores at it or below, of the first ones below all. */
export function isotonicAt({ first, isotonic }: CalibrationBand, score: number): number {
  return isotonic[Math.max(partitionPoint(first.length, (i) => first[i] <= score) - 1, 0)];
}
