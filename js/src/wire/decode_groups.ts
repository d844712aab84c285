// Points in groups of neighbouring scores, from bytes that may be anything.

import type { Pair } from "../base/pair.ts";
import type { ScoreGroups } from "../evaluation/score_runs.ts";
import type { Recalibration } from "../evaluation/types.ts";
import {
  anything,
  ascending,
  ascendingCounts,
  count,
  float32s,
  float64s,
  misfit,
  number,
  orNull,
  pairOf,
  record,
} from "./readers.ts";

/** Test points of which the page draws reliability. */
export function groupsOf(nTest: Pair<number>) {
  return (value: unknown, name: string): ScoreGroups => {
    const { first, last, points, positives } = record(value, name);
    const scores = { first: ascending(float64s(first, name), name), last: float64s(last, name) };
    const m = scores.first.length;
    if (m === 0 || scores.last.length !== m || !areApart(scores)) {
      misfit(name, "are not ranges of scores that ascend");
    }
    const groups = {
      ...scores,
      points: differences(ascendingCounts(points, name, m, nTest[0] + nTest[1])),
      positives: differences(ascendingCounts(positives, name, m, nTest[1])),
    };
    return groups.points.every((some, i) => some > 0 && some >= groups.positives[i])
      ? groups
      : misfit(name, "have fewer points than positives");
  };
}

const areApart = ({ first, last }: Pick<ScoreGroups, "first" | "last">) =>
  first.every((score, i) => score <= last[i] && (i === 0 || last[i - 1] < score));

const differences = (sums: Uint32Array) => sums.map((sum, i) => sum - (sums[i - 1] ?? 0));

const MOST_GROUPS = 1_000_000;
const MOST_POINTS = 2 ** 32 - 1;

/** Calibration points, and how the test points of each label lie among them. */
export function recalibrationOf(nTest: Pair<number>) {
  return (value: unknown, name: string): Recalibration => {
    const fields = record(value, name);
    const m = count(fields.size, name);
    if (m === 0 || m > MOST_GROUPS) misfit(name, `is of ${m} groups`);
    const positives = differences(ascendingCounts(fields.positives, name, m, MOST_POINTS));
    const points =
      fields.points === null
        ? new Uint32Array(m).fill(1)
        : differences(ascendingCounts(fields.points, name, m, MOST_POINTS));
    if (points.some((some, i) => some === 0 || some < positives[i])) {
      misfit(name, "has fewer points than positives");
    }
    const first = spread(float32s(fields.first, name), m, name);
    const last = fields.last === null ? first : spread(float32s(fields.last, name), m, name);
    const standing = (label: 0 | 1) => (bytes: unknown) =>
      Float64Array.from(ascendingCounts(bytes, name, m + 2, nTest[label]));
    const before = orNull(pairOf(anything))(fields.before, name);
    return {
      groups: { first, last, points, positives },
      before: before && [bothSides(before[0], standing(0)), bothSides(before[1], standing(1))],
      ranked: pairOf(number)(fields.ranked, name),
    };
  };

  function bothSides(sides: unknown, read: (bytes: unknown) => Float64Array): Pair<Float64Array> {
    const [low, up] = pairOf(anything)(sides, "before");
    const lower = read(low);
    const upper = up === null ? lower : read(up);
    const n = lower[lower.length - 1];
    return n > 0 && upper[upper.length - 1] === n
      ? [lower, upper]
      : misfit("before", "counts too few points");
  }
}

/** Scores at as many evenly spaced places as have come, and those in between on lines. */
function spread(scores: Float32Array, m: number, name: string): Float64Array {
  const n = ascending(scores, name).length;
  if (n === 0 || n > m || (n === 1 && m > 1)) misfit(name, "has scores of other groups");
  if (n === m) return Float64Array.from(scores);
  const spreadScores = new Float64Array(m);
  const place = (k: number) => Math.floor((k * (m - 1)) / (n - 1));
  for (let k = 0; k + 1 < n; k++) {
    const [from, to] = [place(k), place(k + 1)];
    for (let i = from; i <= to; i++) {
      spreadScores[i] = scores[k] + ((i - from) / (to - from)) * (scores[k + 1] - scores[k]);
    }
  }
  return spreadScores;
}
