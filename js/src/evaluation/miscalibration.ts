// Where scores are higher or lower than the true risks.

import { remembered } from "../base/remembered.ts";
import { boundsAt, type CalibrationBand } from "./calibration_band.ts";
import type { Evaluation } from "./types.ts";

/** Scores from one to another, all of which are higher than the true risks, or lower. */
export interface Stretch {
  start: number;
  end: number;
  isHigher: boolean;
}

/** What the bounds say of the scores as risks; all stretches hold together, as the bounds do. */
export interface Miscalibration {
  /** Some scores are refuted, none is, the bounds are too wide to tell, or they contradict each other. */
  verdict: "off" | "none" | "few" | "refuted";
  stretches: Stretch[];
}

/** Bounds that are this far apart, on average over the rows, can tell next to nothing. */
const WIDE = 2 / 3;

export const miscalibration = remembered((band: CalibrationBand, evaluation: Evaluation): Miscalibration => {
  const { first, last, lower, upper } = band;
  if (band.refuted) return { verdict: "refuted", stretches: [] };
  const stretches: Stretch[] = [];
  const places = Array.from(first, (_, i) => i);
  // An upper bound holds from above the score before on, a lower one up to below the score after.
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

/** Adds pieces, joined where they touch. */
function join(pieces: Stretch[], to: Stretch[]) {
  pieces.forEach((piece, i) => {
    const last = to[to.length - 1];
    if (i > 0 && piece.start <= last.end) last.end = piece.end;
    else to.push(piece);
  });
}

/** Mean distance of the bounds over the rows. */
function meanWidth(band: CalibrationBand, { thresholds, falsePositives, truePositives }: Evaluation): number {
  let sum = 0;
  let called = 0;
  for (let i = 1; i < thresholds.length; i++) {
    const rows = falsePositives[i] + truePositives[i] - called;
    const [low, high] = boundsAt(band, thresholds[i]);
    sum += rows * (high - low);
    called += rows;
  }
  return sum / called;
}
