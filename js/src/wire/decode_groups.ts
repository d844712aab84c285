// Points in groups of neighbouring scores, from bytes that may be anything.

import type { Pair } from "../base/pair.ts";
import type { ScoreGroups } from "../evaluation/score_runs.ts";
import { ascending, ascendingCounts, float64s, misfit, record } from "./readers.ts";

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
