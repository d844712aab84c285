// Finds the ranges of scores that are higher or lower than the true risks.

import { remembered } from "../base/remembered.ts";
import type { CalibrationBand } from "./calibration_band.ts";
import type { Evaluation } from "./types.ts";

/** A range of scores that are all above, or all below, the true risks. */
export interface Stretch {
  start: number;
  end: number;
  isHigher: boolean;
}

/**
 * Whether the bounds exclude that the scores equal the true risks, and in which ranges (`stretches`). The bounds hold
 * at every score at once, so all ranges hold at once.
 */
export interface Miscalibration {
  /**
   * "off": the bounds exclude some scores. "none": they exclude none. "few": they are too wide to tell. "refuted": they
   * contradict each other.
   */
  verdict: "off" | "none" | "few" | "refuted";
  stretches: Stretch[];
}

/** If the mean distance between the bounds exceeds this, they are too wide to tell anything. */
const WIDE = 2 / 3;

export const miscalibration = remembered((band: CalibrationBand, evaluation: Evaluation): Miscalibration => {
  const { first, last, lower, upper } = band;
  if (band.refuted) return { verdict: "refuted", stretches: [] };
  const stretches: Stretch[] = [];
  const places = Array.from(first, (_, i) => i);
  // The true probability never falls as the score rises. So an upper bound at a score also holds at all lower
  // scores, and the range where it is below the score is extended down to the previous known score. A lower
  // bound also holds at all higher scores, and its range is extended up to the next known score.
  join(
    places
      .filter((i) => upper[i] < first[i])
      .map((i) => ({ start: Math.max(first[Math.max(i - 1, 0)], upper[i]), end: first[i], isHigher: true })),
    stretches,
  );
  join(
    places
      .filter((i) => last[i] < lower[i])
      .map((i) => ({ start: last[i], end: Math.min(last[i + 1] ?? last[i], lower[i]), isHigher: false })),
    stretches,
  );
  if (stretches.length > 0)
    return { verdict: "off", stretches: stretches.sort((a, b) => a.start - b.start || a.end - b.end) };
  return { verdict: meanWidth(band, evaluation) > WIDE ? "few" : "none", stretches };
});

/** Adds ranges of scores to the list `to`, and joins ranges that touch. */
function join(pieces: Stretch[], to: Stretch[]) {
  pieces.forEach((piece, i) => {
    const last = to[to.length - 1];
    if (i > 0 && piece.start <= last.end) last.end = piece.end;
    else to.push(piece);
  });
}

/**
 * Returns the mean over the rows of the distance between the two bounds. The bounds are those of `boundsAt`. Here they
 * are found in one pass, because thresholds descend.
 */
function meanWidth(band: CalibrationBand, { thresholds, falsePositives, truePositives }: Evaluation): number {
  const { first, last, lower, upper } = band;
  let [sum, called, below, above] = [0, 0, last.length, first.length];
  for (let i = 1; i < thresholds.length; i++) {
    const rows = falsePositives[i] + truePositives[i] - called;
    while (below > 0 && last[below - 1] > thresholds[i]) below--;
    while (above > 0 && first[above - 1] >= thresholds[i]) above--;
    sum += rows * ((upper[above] ?? 1) - (lower[below - 1] ?? 0));
    called += rows;
  }
  return sum / called;
}
