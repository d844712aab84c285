// Runs of neighbouring scores, whose shares of positives bound a monotone probability; its twin is score_runs.py.

import { betaQuantile } from "../base/beta.ts";

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

/** So many successes, or more, of so many points, at a share of alpha. */
interface Tail {
  successes: number;
  points: number;
  share: number;
}

/** Runs by their first and last group, each with its two tails, which many share. */
interface Runs {
  first: number[];
  last: number[];
  low: number[];
  high: number[];
  tails: Tail[];
}

const known = new WeakMap<ScoreGroups, Runs>();

/** Limits of the probability at every group at once; they may cross where it is not monotone. */
export function limitsOf(groups: ScoreGroups, alpha: number): Bounds {
  let runs = known.get(groups);
  if (!runs) {
    runs = runsOf(groups);
    known.set(groups, runs);
  }
  const { first, last, low, high, tails } = runs;
  const limits = tails.map(({ successes, points, share }) =>
    successes > 0 ? betaQuantile(alpha * share, successes, points - successes + 1) : 0,
  );
  const m = groups.points.length;
  const lower = new Float64Array(m);
  const upper = new Float64Array(m).fill(1);
  first.forEach((group, i) => {
    lower[last[i]] = Math.max(lower[last[i]], limits[low[i]]);
    upper[group] = Math.min(upper[group], 1 - limits[high[i]]);
  });
  for (let i = 1; i < m; i++) lower[i] = Math.max(lower[i], lower[i - 1]);
  for (let i = m - 2; i >= 0; i--) upper[i] = Math.min(upper[i], upper[i + 1]);
  return { lower, upper };
}

function runsOf({ points, positives }: ScoreGroups): Runs {
  const pointsBefore = before(points);
  const positivesBefore = before(positives);
  const runs: Runs = { first: [], last: [], low: [], high: [], tails: [] };
  const tailOf = tailsOnce(runs.tails, pointsBefore[points.length] + 1);
  for (const [key, share] of sharesOf(pointsBefore)) {
    const first = Math.floor(key / points.length);
    const last = key % points.length;
    const size = pointsBefore[last + 1] - pointsBefore[first];
    const successes = positivesBefore[last + 1] - positivesBefore[first];
    runs.first.push(first);
    runs.last.push(last);
    runs.low.push(tailOf(successes, size, share));
    runs.high.push(tailOf(size - successes, size, share));
  }
  return runs;
}

/** First group times the number of groups plus last group -> part of alpha that each side of the run gets. */
function sharesOf(pointsBefore: Float64Array): Map<number, number> {
  const m = pointsBefore.length - 1;
  const n = pointsBefore[m];
  const lengths = [n];
  for (let length = SHORTEST; length < n; length *= GROWTH) lengths.push(Math.round(length));
  const middle = n ** (2 / 3);
  const weights = lengths.map((length) => Math.min(length, middle) / Math.max(length, middle));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = new Map<number, number>();
  lengths.forEach((length, i) => {
    const step = Math.max(1, Math.floor(length / STARTS));
    const starts = Math.ceil((n - length) / step) + 1;
    const share = weights[i] / total / starts / 2;
    let [first, last] = [0, 0];
    for (let j = 0; j < starts; j++) {
      const start = Math.min(j * step, n - length);
      while (pointsBefore[first + 1] <= start) first++;
      while (pointsBefore[last + 1] < start + length) last++;
      const key = first * m + last;
      shares.set(key, (shares.get(key) ?? 0) + share);
    }
  });
  return shares;
}

/** Numbers tails, equal ones alike. */
function tailsOnce(tails: Tail[], base: number) {
  const numbers = new Map<number, Map<number, number>>();
  return (successes: number, points: number, share: number): number => {
    const ofShare = numbers.get(share) ?? new Map<number, number>();
    numbers.set(share, ofShare);
    const key = points * base + successes;
    const number = ofShare.get(key) ?? tails.push({ successes, points, share }) - 1;
    ofShare.set(key, number);
    return number;
  };
}

function before(counts: Uint32Array): Float64Array {
  const sums = new Float64Array(counts.length + 1);
  counts.forEach((count, i) => {
    sums[i + 1] = sums[i] + count;
  });
  return sums;
}
