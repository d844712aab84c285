// Limits of an ideal recalibration of the score, at every threshold at once; its twin is recalibrated.py.

import { partitionPoint } from "../base/bisect.ts";
import { thresholdText } from "../base/format.ts";
import { logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { TIE } from "../base/ties.ts";
import { type CalibrationBand, calibrationBand } from "./calibration_band.ts";
import type { Ends } from "./sorted_sample.ts";
import type { Evaluation, Findings, Label } from "./types.ts";

/** Ends of all intervals, what is found, and the range of the area. */
export interface Recalibrated {
  lower: Pair<Ends>;
  upper: Pair<Ends>;
  findings: Findings;
  auc: Pair<number>;
}

/** Null where the page does not know how the test points lie among the calibration points. */
export function recalibrated(evaluation: Evaluation, alpha: number): Recalibrated | null {
  const { recalibration, auc } = evaluation;
  if (!recalibration?.before) return null;
  const { groups, before, ranked } = recalibration;
  const band = calibrationBand(groups, alpha);
  const [low, high] = logitBounds(band);
  const lower = ends(low, before[0][0], before[1][0]);
  const upper = ends(high, before[0][1], before[1][1]);
  const open = ([0, 1] as const).map((label) => openOf(band, before[label]));
  const { nTest } = evaluation;
  const empty = open.map(([below, above], label) => Math.max(below + above - nTest[label], 0));
  const missing = (label: Label): Pair<boolean> => [
    open[label][0] === nTest[label],
    open[label][1] === nTest[label],
  ];
  return {
    lower,
    upper,
    findings: {
      orderStatistics: null,
      guaranteed: [1 - alpha, 1 - alpha],
      vacuous: [reason(evaluation, 0, empty[0], alpha), reason(evaluation, 1, empty[1], alpha)],
      local: {
        vacuousShare: [empty[0] / nTest[0], empty[1] / nTest[1]],
        missing: [missing(0), missing(1)],
      },
      notes: refutedOrder(band),
    },
    auc: [
      auc - Math.max(ranked[0] - shareSurelyAbove(lower[1], upper[0]), 0) / 2,
      auc + Math.max(ranked[1] - shareSurelyAbove(lower[0], upper[1]), 0) / 2,
    ],
  };
}

/** Logits of both bounds by place: below all groups there is no lower one, above all no upper one. */
function logitBounds({ lower, upper }: CalibrationBand): Pair<Float64Array> {
  const m = lower.length;
  const low = new Float64Array(m + 1).fill(Number.NEGATIVE_INFINITY);
  const high = new Float64Array(m + 1).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < m; i++) {
    // Bounds that cross promise nothing, and a note says so; in order they can still be drawn.
    low[i + 1] = logit(Math.min(lower[i], upper[i]));
    high[i] = logit(Math.max(lower[i], upper[i]));
  }
  return [low, high];
}

function ends(values: Float64Array, zeros: Float64Array, ones: Float64Array): Pair<Ends> {
  return [
    { values, shift: 0, before: zeros },
    { values, shift: 0, before: ones },
  ];
}

/** Test points of a label without a lower bound, and without an upper one. */
function openOf({ lower, upper }: CalibrationBand, [low, high]: Pair<Float64Array>): Pair<number> {
  const unboundedBelow = partitionPoint(lower.length, (i) => Math.min(lower[i], upper[i]) <= 0) + 1;
  const boundedAbove = partitionPoint(upper.length, (i) => Math.max(lower[i], upper[i]) < 1);
  return [low[unboundedBelow], high[high.length - 1] - high[boundedAbove]];
}

function reason(
  { nTest, nCalibration }: Evaluation,
  label: Label,
  empty: number,
  alpha: number,
): string | null {
  if (empty === 0) return null;
  return (
    `${empty} of the ${nTest[label]} test points of label ${label} have scores that ` +
    `${nCalibration[0] + nCalibration[1]} calibration points cannot bound at α = ${Number(alpha.toPrecision(6))}: ` +
    "their intervals are everything from 0 to 1."
  );
}

/** At most one sentence, for bounds that cross. */
export function refutedOrder({ alpha, groups: { first }, lower, upper, refuted }: CalibrationBand): string[] {
  if (!refuted) return [];
  const crossing = first.filter((_, i) => lower[i] > upper[i]);
  const places = [...new Set([crossing[0], crossing[crossing.length - 1]].map(thresholdText))];
  return [
    `At scores ${places.join(" to ")} the lower bound exceeds the upper one: at α = ${Number(alpha.toPrecision(6))} ` +
      "the labels refute that a higher score never means a lower probability, and without that the band promises nothing.",
  ];
}

/** Share of the pairs with the first above the second by more than a tie. */
function shareSurelyAbove(high: Ends, low: Ends): number {
  const [weights, table] = [high.before as Float64Array, low.before as Float64Array];
  let below = 0;
  let sum = 0;
  high.values.forEach((value, i) => {
    while (below < low.values.length && low.values[below] < value - TIE) below++;
    sum += (weights[i + 1] - weights[i]) * table[below];
  });
  return sum / (weights[high.values.length] * table[low.values.length]);
}
