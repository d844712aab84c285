// Runs of neighbouring scores, whose shares of positives bound a monotone probability; its twin is score_runs.py.

import { betaQuantile } from "../base/beta.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";

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
  /** Group from which the limit holds, counted in the direction in which it does. */
  group: Int32Array;
  successes: Int32Array;
  points: Int32Array;
  share: Float64Array;
  logWays: Float64Array;
  /** Their positions in the order of their groups. */
  order: Int32Array;
}

/** Limits of the probability at every group at once; they may cross where it is not monotone. */
export function limitsOf(groups: ScoreGroups, alpha: number): Bounds {
  const tails = tailsOf(groups);
  const m = groups.points.length;
  const lower = runningLimits(tails[0], alpha, m);
  const upper = runningLimits(tails[1], alpha, m).reverse();
  for (let i = 0; i < m; i++) upper[i] = 1 - upper[i];
  return { lower, upper };
}

/**
 * Running maximum of the tails' lower limits, at each group.
 *
 * Few tails raise it, and only those need a quantile: where exactly so many successes alone are likelier, at the best
 * limit so far, than the tail's level, the tail's own limit is no higher.
 */
function runningLimits(tails: Tails, alpha: number, m: number): Float64Array {
  const { group, successes, points, share, logWays, order } = tails;
  const limits = new Float64Array(m);
  let reached = 0;
  let best = 0;
  let logBest = Number.NEGATIVE_INFINITY;
  let logRest = 0;
  for (const i of order) {
    const k = successes[i];
    const level = alpha * share[i];
    if (k === 0 || logWays[i] + k * logBest + (points[i] - k) * logRest >= Math.log(level)) continue;
    const limit = betaQuantile(level, k, points[i] - k + 1);
    if (limit <= best) continue;
    limits.fill(best, reached, group[i]);
    reached = group[i];
    best = limit;
    logBest = Math.log(best);
    logRest = Math.log1p(-best);
  }
  return limits.fill(best, reached);
}

/** Of positives from the left, of negatives from the right. */
const tailsOf = remembered(({ points, positives }: ScoreGroups): Pair<Tails> => {
  const pointsBefore = before(points);
  const positivesBefore = before(positives);
  const m = points.length;
  const { first, last, share } = sharesOf(pointsBefore);
  const [size, ones, zeros, fromTheRight] = [0, 0, 0, 0].map(() => new Int32Array(first.length));
  const logWays = new Float64Array(first.length);
  for (let i = 0; i < first.length; i++) {
    size[i] = pointsBefore[last[i] + 1] - pointsBefore[first[i]];
    ones[i] = positivesBefore[last[i] + 1] - positivesBefore[first[i]];
    zeros[i] = size[i] - ones[i];
    fromTheRight[i] = m - 1 - first[i];
    logWays[i] = leastLogWays(ones[i], zeros[i]);
  }
  const side = (group: Int32Array, successes: Int32Array): Tails => {
    return { group, successes, points: size, share, logWays, order: ascending(group, m) };
  };
  return [side(last, ones), side(fromTheRight, zeros)];
});

/** At most the logarithm of the number of ways to choose k of k + l, and close to it (Ash 1965, lemma 4.7.1). */
function leastLogWays(k: number, l: number): number {
  if (k === 0 || l === 0) return 0;
  const n = k + l;
  return n * Math.log(n) - k * Math.log(k) - l * Math.log(l) + Math.log(n / (8 * k * l)) / 2;
}

/** Positions in the order of their group, of m groups. */
function ascending(group: Int32Array, m: number): Int32Array {
  const next = new Int32Array(m + 1);
  for (let i = 0; i < group.length; i++) next[group[i] + 1]++;
  for (let g = 0; g < m; g++) next[g + 1] += next[g];
  const order = new Int32Array(group.length);
  for (let i = 0; i < group.length; i++) order[next[group[i]]++] = i;
  return order;
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
  // Without ties no two runs have the same groups; with ties those of a length that do are neighbours.
  const places = m < n ? new Map<number, number>() : null;
  let size = 0;
  lengths.forEach((length, i) => {
    const share = weights[i] / total / starts[i] / 2;
    let place = -1;
    for (let j = 0; j < starts[i]; j++) {
      const start = Math.min(j * steps[i], n - length);
      const first = groupAt[start];
      const last = groupAt[start + length - 1];
      if (j === 0 || runs.first[place] !== first || runs.last[place] !== last) {
        place = places?.get(first * m + last) ?? size;
        if (place === size) {
          places?.set(first * m + last, place);
          runs.first[place] = first;
          runs.last[place] = last;
          size++;
        }
      }
      runs.share[place] += share;
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
  for (let i = 0; i < counts.length; i++) sums[i + 1] = sums[i] + counts[i];
  return sums;
}
