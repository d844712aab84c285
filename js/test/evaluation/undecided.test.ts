import { expect, test } from "vitest";
import { logit } from "../../src/base/logit.ts";
import type { Evaluation, Frame, OperatingPoint } from "../../src/evaluation/types.ts";
import { hasOwnIntervals, leftOver, undecidedOf } from "../../src/evaluation/undecided.ts";

const SCORES = [
  [0.05, 0.1, 0.2, 0.35, 0.6, 0.8],
  [0.3, 0.45, 0.55, 0.7, 0.9],
];
const sorted = (scores: number[]) => ({ n: scores.length, values: Float64Array.from(scores, logit) });
const evaluation = {
  nTest: [6, 5],
  unit: 1,
  centres: [sorted(SCORES[0]), sorted(SCORES[1])],
  simultaneous: false,
} as unknown as Evaluation;
const frameOf = (pairs: [number, number][]) =>
  ({
    orderStatistics: pairs.map((pair) => pair.map((residual, rank) => ({ rank, residual }))),
  }) as unknown as Frame;

/** Counts undecided points one by one. */
function naive(pairs: [number, number][], threshold: number) {
  const at = logit(threshold);
  const cells = { tp: 0, fn: 0, fp: 0, tn: 0 };
  SCORES.forEach((scores, label) => {
    for (const score of scores) {
      if (pairs.some(([low, high]) => logit(score) + high > at && logit(score) + low <= at)) continue;
      cells[score >= threshold ? (label ? "tp" : "fp") : label ? "fn" : "tn"] += 1;
    }
  });
  return cells;
}

const countsOf = (threshold: number) =>
  ({
    fp: SCORES[0].filter((score) => score >= threshold).length,
    tp: SCORES[1].filter((score) => score >= threshold).length,
  }) as OperatingPoint;

test("those are left whose interval holds the threshold for neither label", () => {
  const settings: [number, number][][] = [
    [
      [-0.5, 0.5],
      [-1, 0.2],
    ],
    [
      [0.3, 0.9],
      [-0.9, -0.3],
    ],
    [
      [Number.NEGATIVE_INFINITY, 0.4],
      [-0.1, 0.1],
    ],
    [
      [-0.1, 0.1],
      [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    ],
  ];
  for (const pairs of settings)
    for (const threshold of [0.15, 0.4, 0.5, 0.75])
      expect(leftOver(evaluation, frameOf(pairs), threshold, countsOf(threshold))).toEqual(
        naive(pairs, threshold),
      );
});

test("without the intervals of all points nobody says who is left", () => {
  const point = countsOf(0.5);
  const pairs: [number, number][] = [
    [-1, 1],
    [-1, 1],
  ];
  expect(leftOver({ ...evaluation, centres: null }, frameOf(pairs), 0.5, point)).toBeNull();
  const thinned = { n: 60, values: Float64Array.of(0) };
  const some = { ...evaluation, centres: [thinned, thinned] } as unknown as Evaluation;
  expect(leftOver(some, frameOf(pairs), 0.5, point)).toBeNull();
  const local = { orderStatistics: null } as unknown as Frame;
  expect(leftOver(evaluation, local, 0.5, point)).toBeNull();
});

test("one band for both labels leaves those it decides", () => {
  const point = { tprLower: 0.4, tprUpper: 0.8, fprLower: 0, fprUpper: 0.5 } as OperatingPoint;
  const joint = { ...evaluation, simultaneous: true };
  expect(leftOver(joint, frameOf([]), 0.5, point)).toEqual({ tp: 2, fn: 1, fp: 0, tn: 3 });
  expect(undecidedOf(joint, point)).toEqual([3, 2]);
});

test("limits of the curve are not those of points", () => {
  expect(hasOwnIntervals({ kind: "curve" })).toBe(false);
  expect(hasOwnIntervals({ kind: "individual" })).toBe(true);
});
