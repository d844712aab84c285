// Bounds of P(y = 1 | score) at every score at once, for every sample size; its twin is calibration_band.py.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { type Bounds, limitsOf, type ScoreGroups } from "./score_runs.ts";
import type { Evaluation } from "./types.ts";

export interface CalibrationBand extends Bounds {
  alpha: number;
  groups: ScoreGroups;
  /** Lower bounds exceed upper ones: the labels refute that a higher score never means a lower probability. */
  refuted: boolean;
}

/** The band at the alpha asked for last is kept: a threshold that moves shares it. */
export const calibrationBand = remembered((groups: ScoreGroups, alpha: number): CalibrationBand => {
  const { lower, upper } = limitsOf(groups, alpha);
  return { alpha, groups, lower, upper, refuted: lower.some((low, i) => low > upper[i]) };
});

/** The band of the test points, as `evaluation.reliability` has it. */
export const reliability = (evaluation: Evaluation, alpha: number): CalibrationBand =>
  calibrationBand(testGroups(evaluation), alpha);

/** Bounds at any score: the lower one of the groups below, the upper one of those above. */
export function boundsAt(
  { groups: { first, last }, lower, upper }: CalibrationBand,
  score: number,
): Pair<number> {
  const below = partitionPoint(last.length, (i) => last[i] <= score);
  const above = partitionPoint(first.length, (i) => first[i] < score);
  return [below > 0 ? lower[below - 1] : 0, above < upper.length ? upper[above] : 1];
}

/** Groups of test points: those that came, or the scores themselves, which are then the vertices. */
export const testGroups = (evaluation: Evaluation): ScoreGroups =>
  evaluation.groups ?? groupsOfVertices(evaluation);

/** Each vertex but the first has the points of the scores from its threshold up to the one before. */
const groupsOfVertices = remembered(
  ({ thresholds, falsePositives, truePositives }: Evaluation): ScoreGroups => {
    const vertices: number[] = [];
    for (let i = thresholds.length - 1; i > 0; i--) {
      if (falsePositives[i] + truePositives[i] > falsePositives[i - 1] + truePositives[i - 1])
        vertices.push(i);
    }
    const scores = Float64Array.from(vertices, (i) => thresholds[i]);
    const positives = Uint32Array.from(vertices, (i) => truePositives[i] - truePositives[i - 1]);
    const negatives = vertices.map((i) => falsePositives[i] - falsePositives[i - 1]);
    return {
      first: scores,
      last: scores,
      positives,
      points: positives.map((count, i) => count + negatives[i]),
    };
  },
);

/** Isotonic regression of the labels on the score, at each group: neighbours that fall are pooled. */
export function isotonic({ points, positives }: ScoreGroups): Float64Array {
  const blocks: { end: number; points: number; positives: number }[] = [];
  points.forEach((count, i) => {
    let block = { end: i + 1, points: count, positives: positives[i] };
    for (
      let last = blocks.at(-1);
      last && last.positives * block.points >= block.positives * last.points;
      last = blocks.at(-1)
    ) {
      blocks.pop();
      block = {
        end: i + 1,
        points: last.points + block.points,
        positives: last.positives + block.positives,
      };
    }
    blocks.push(block);
  });
  const shares = new Float64Array(points.length);
  blocks.forEach((block, j) => {
    shares.fill(block.positives / block.points, blocks[j - 1]?.end ?? 0, block.end);
  });
  return shares;
}

export const isotonicOf = remembered(isotonic);

/** Isotonic regression at any score: that of the group at it or below, of the first group below all. */
export function isotonicAt({ groups }: CalibrationBand, score: number): number {
  const { first } = groups;
  return isotonicOf(groups)[Math.max(partitionPoint(first.length, (i) => first[i] <= score) - 1, 0)];
}
