// Runs of neighbouring scores, whose shares of positives bound a monotone probability; its twin is score_runs.py.

import { betaQuantile } from "../base/beta.ts";
import type { Pair } from "../base/pair.ts";

/** Groups of equal or neighbouring scores, ascending. No label decides which scores are a group. */
export interface ScoreGroups {
  /** Smallest and largest score of each. */
  first: Float64Array;
  last: Float64Array;
  points: Uint32Array;
  positives: Uint32Array;
}

/** Bounds at each group: the lower one holds from its last score on, the upper one up to its first. */
export interface Bounds {
  lower: Float64Array;
  upper: Float64Array;
}

const SHORTEST = 16;
const GROWTH = 1.5;
const STARTS = 4;

/** Tails of runs: so many successes, or more, of so many points, each at a share of alpha. */
interface Tails {
  /** Group from which, or up to which, the limit holds. */
  group: Int32Array;
  successes: Int32Array;
  points: Int32Array;
  share: Float64Array;
}

const known = new WeakMap<ScoreGroups, Pair<Tails>>();

/** Limits of the probability at every group at once; they may cross where it is not monotone. */
export function limitsOf(groups: ScoreGroups, alpha: number): Bounds {
  let tails = known.get(groups);
  if (!tails) {
    tails = tailsOf(groups);
    known.set(groups, tails);
  }
  const [low, high] = tails;
  const m = groups.points.length;
  const lower = new Float64Array(m);
  const upper = new Float64Array(m).fill(1);
  for (let i = 0; i < low.group.length; i++) {
    lower[low.group[i]] = Math.max(lower[low.group[i]], limitOf(low, i, alpha));
  }
  for (let i = 0; i < high.group.length; i++) {
    upper[high.group[i]] = Math.min(upper[high.group[i]], 1 - limitOf(high, i, alpha));
  }
  for (let i = 1; i < m; i++) lower[i] = Math.max(lower[i], lower[i - 1]);
  for (let i = m - 2; i >= 0; i--) upper[i] = Math.min(upper[i], upper[i + 1]);
  return { lower, upper };
}

function limitOf({ successes, points, share }: Tails, i: number, alpha: number): number {
  return betaQuantile(alpha * share[i], successes[i], points[i] - successes[i] + 1);
}

/** Of positives from the left, of negatives from the right. */
function tailsOf({ points, positives }: ScoreGroups): Pair<Tails> {
  const pointsBefore = before(points);
  const positivesBefore = before(positives);
  const runs = sharesOf(pointsBefore);
  const { first, last, share } = runs;
  const size = first.map((group, i) => pointsBefore[last[i] + 1] - pointsBefore[group]);
  const ones = first.map((group, i) => positivesBefore[last[i] + 1] - positivesBefore[group]);
  const zeros = size.map((n, i) => n - ones[i]);
  const order = first.map((_, i) => i);
  return [
    tailsAlong(order, { group: last, successes: ones, points: size, share }, 1),
    tailsAlong(order.reverse(), { group: first, successes: zeros, points: size, share }, -1),
  ];
}

/**
 * The tails of runs in this order, without those that an earlier one makes superfluous: with no fewer successes among
 * no more points, at no smaller share, its limit holds there too and says more.
 */
function tailsAlong(order: Int32Array, { group, successes, points, share }: Tails, direction: 1 | -1): Tails {
  let best = -1;
  const kept = order.filter((i) => {
    if (successes[i] === 0) return false;
    const isSuperfluous =
      best >= 0 &&
      direction * group[best] <= direction * group[i] &&
      successes[best] >= successes[i] &&
      points[best] <= points[i] &&
      share[best] >= share[i];
    if (!isSuperfluous) best = i;
    return !isSuperfluous;
  });
  return {
    group: kept.map((i) => group[i]),
    successes: kept.map((i) => successes[i]),
    points: kept.map((i) => points[i]),
    share: Float64Array.from(kept).map((i) => share[i]),
  };
}

/** Runs by their first and last group, with the part of alpha that each side gets. */
interface Shares {
  first: Int32Array;
  last: Int32Array;
  share: Float64Array;
}

function sharesOf(pointsBefore: Float64Array): Shares {
  const m = pointsBefore.length - 1;
  const n = pointsBefore[m];
  const lengths = [n];
  for (let length = SHORTEST; length < n; length *= GROWTH) lengths.push(Math.round(length));
  const middle = n ** (2 / 3);
  const weights = lengths.map((length) => Math.min(length, middle) / Math.max(length, middle));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const steps = lengths.map((length) => Math.max(1, Math.floor(length / STARTS)));
  const starts = lengths.map((length, i) => Math.ceil((n - length) / steps[i]) + 1);
  const most = starts.reduce((sum, count) => sum + count, 0);
  const runs: Shares = {
    first: new Int32Array(most),
    last: new Int32Array(most),
    share: new Float64Array(most),
  };
  const groupAt = new Int32Array(n);
  for (let i = 0; i < m; i++) groupAt.fill(i, pointsBefore[i], pointsBefore[i + 1]);
  // Without ties no two runs have the same groups.
  const places = m < n ? new Map<number, number>() : null;
  let size = 0;
  lengths.forEach((length, i) => {
    const share = weights[i] / total / starts[i] / 2;
    for (let j = 0; j < starts[i]; j++) {
      const start = Math.min(j * steps[i], n - length);
      const [first, last] = [groupAt[start], groupAt[start + length - 1]];
      const place = places?.get(first * m + last) ?? size;
      runs.share[place] += share;
      if (place < size) continue;
      places?.set(first * m + last, place);
      runs.first[place] = first;
      runs.last[place] = last;
      size++;
    }
  });
  return {
    first: runs.first.subarray(0, size),
    last: runs.last.subarray(0, size),
    share: runs.share.subarray(0, size),
  };
}

function before(counts: Uint32Array): Float64Array {
  const sums = new Float64Array(counts.length + 1);
  counts.forEach((count, i) => {
    sums[i + 1] = sums[i] + count;
  });
  return sums;
}
