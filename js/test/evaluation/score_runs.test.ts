import { expect, test } from "vitest";
import { limitsOf, type ScoreGroups } from "../../src/evaluation/score_runs.ts";

/** Groups at the scores 0, 1, 2, ... */
function groupsOf(points: number[], positives: number[]): ScoreGroups {
  const first = Float64Array.from(points, (_, i) => i);
  return { first, last: first, points: Uint32Array.from(points), positives: Uint32Array.from(positives) };
}

/** P(at least `successes` of `n`), each with probability p: term by term. */
function tail(successes: number, n: number, p: number): number {
  let term = (1 - p) ** n;
  let below = 0;
  for (let k = 0; k < successes; k++) {
    below += term;
    term *= (((n - k) / (k + 1)) * p) / (1 - p);
  }
  return 1 - below;
}

/** Largest probability at which so many successes or more are as rare as the level, by bisection. */
function lowerLimit(successes: number, n: number, level: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (tail(successes, n, middle) < level) low = middle;
    else high = middle;
  }
  return successes > 0 ? low : 0;
}

/** Every run of points by itself, with its part of alpha; bounds by loops over all runs and groups. */
function limitsByLoops({ points, positives }: ScoreGroups, alpha: number) {
  const groupOf = Array.from(points).flatMap((size, group) => Array.from({ length: size }, () => group));
  const n = groupOf.length;
  const lengths = [n];
  for (let length = 16; length < n; length *= 1.5) lengths.push(Math.round(length));
  const weight = (length: number) => Math.min(length, n ** (2 / 3)) / Math.max(length, n ** (2 / 3));
  const total = lengths.reduce((sum, length) => sum + weight(length), 0);
  const runs = new Map<string, number>();
  for (const length of lengths) {
    const starts = [];
    for (let start = 0; start < n - length; start += Math.max(1, Math.floor(length / 4))) starts.push(start);
    starts.push(n - length);
    for (const start of starts) {
      const run = `${groupOf[start]} ${groupOf[start + length - 1]}`;
      runs.set(run, (runs.get(run) ?? 0) + weight(length) / total / starts.length / 2);
    }
  }
  const lower = Array.from(points, () => 0);
  const upper = Array.from(points, () => 1);
  for (const [run, share] of runs) {
    const [first, last] = run.split(" ").map(Number);
    const sum = (counts: Uint32Array) => counts.slice(first, last + 1).reduce((a, b) => a + b, 0);
    const [size, successes] = [sum(points), sum(positives)];
    const low = lowerLimit(successes, size, alpha * share);
    const high = 1 - lowerLimit(size - successes, size, alpha * share);
    for (let group = last; group < points.length; group++) lower[group] = Math.max(lower[group], low);
    for (let group = 0; group <= first; group++) upper[group] = Math.min(upper[group], high);
  }
  return { lower, upper };
}

test.each([
  ["one positive", [1], [1], [0.02], [1]],
  ["one negative", [1], [0], [0], [0.98]],
  ["two positives", [1, 1], [1, 1], [0, Math.sqrt(0.02)], [1, 1]],
  ["a tie of two", [2], [2], [Math.sqrt(0.02)], [1]],
  ["one of each", [1, 1], [0, 1], [0, 1 - Math.sqrt(0.98)], [Math.sqrt(0.98), 1]],
])("by hand: %s", (_, points, positives, lower, upper) => {
  const band = limitsOf(groupsOf(points, positives), 0.04);
  expect([...band.lower, ...band.upper].map((x) => x.toFixed(12))).toEqual(
    [...lower, ...upper].map((x) => x.toFixed(12)),
  );
});

test.each([
  ["single points", Array.from({ length: 90 }, () => 1)],
  ["few groups", [30, 1, 25, 9, 40]],
  ["groups of any size", Array.from({ length: 40 }, (_, i) => 1 + ((i * 7) % 5))],
])("%s have the limits of loops over all runs", (_, points) => {
  const positives = points.map((size, i) => Math.round((size * ((i * 0.381966) % 1) * i) / points.length));
  const groups = groupsOf(points, positives);
  for (const alpha of [0.05, 0.3]) {
    const wanted = limitsByLoops(groups, alpha);
    const found = limitsOf(groups, alpha);
    points.forEach((_size, i) => {
      expect(found.lower[i]).toBeCloseTo(wanted.lower[i], 9);
      expect(found.upper[i]).toBeCloseTo(wanted.upper[i], 9);
    });
  }
});

test("of one run, labels exchanged and scores turned round turn the limits round", () => {
  const positives = [0, 1, 0, 0, 1, 1, 0, 1, 1, 1];
  const ones = positives.map(() => 1);
  const { lower } = limitsOf(groupsOf(ones, positives), 0.1);
  const turned = positives.map((positive) => 1 - positive).reverse();
  const { upper } = limitsOf(groupsOf(ones, turned), 0.1);
  lower.forEach((limit, i) => {
    expect(limit).toBeCloseTo(1 - upper[9 - i], 12);
  });
});

test("limits never fall as the score rises, whatever the labels do", () => {
  const ones = Array.from({ length: 300 }, () => 1);
  for (const positives of [ones.map((_, i) => i % 2), ones.map((_, i) => Number(i < 150))]) {
    const { lower, upper } = limitsOf(groupsOf(ones, positives), 0.1);
    expect(lower.every((limit, i) => i === 0 || limit >= lower[i - 1])).toBe(true);
    expect(upper.every((limit, i) => i === 0 || limit >= upper[i - 1])).toBe(true);
  }
});
