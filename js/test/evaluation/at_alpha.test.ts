import { expect, test } from "vitest";
import type { Pair } from "../../src/base/pair.ts";
import { ALPHA_STOPS } from "../../src/base/steps.ts";
import { frameAt, movedTo, stopsOf } from "../../src/evaluation/at_alpha.ts";
import { ranks } from "../../src/evaluation/quantiles.ts";
import type { Evaluation, Frame, OrderStatistic } from "../../src/evaluation/types.ts";
import {
  counts,
  float64s,
  LOCALIZED,
  MISSING,
  rawFrozen,
  sampleEvaluation,
  sampleFrame,
  THRESHOLDS,
} from "../sample.ts";

const evaluation = sampleEvaluation();
const localized = sampleEvaluation({ ...LOCALIZED, frozen: rawFrozen(0.05, 0.1) });
const few = (n: number) => ({ n, values: float64s(Array.from({ length: n }, (_, i) => i)), stops: null });

function at(of: Evaluation, alpha: number, threshold: number): Frame {
  const frame = frameAt(of, alpha, threshold);
  if (frame === null) throw new Error("nothing computed");
  return frame;
}

test("a frame is the order statistics, their words, and the limits they give", () => {
  const frame = at(evaluation, 0.1, 0.5);
  const [low, high] = (frame.orderStatistics as Pair<Pair<OrderStatistic>>)[0];
  expect([low.rank, high.rank]).toEqual(ranks(99, 0.1, "paper"));
  expect(low.residual).toBe(4 * ((ranks(99, 0.1, "paper")[0] - 1) / 98 - 0.5));
  expect(frame).toMatchObject({
    alpha: 0.1,
    threshold: 0.5,
    guaranteed: [0.91, 0.905],
    guarantee: "at least 90 % in large samples",
    point: { tp: 3, fp: 2, fn: 1, tn: 3, tpr: 0.75, fpr: 0.4, precision: 0.6 },
  });
  expect(frame.point.tprLower).toBe(frame.limits.tprLower[3]);
});

test("at a threshold of 1 no interval is above, at one of 0 every one", () => {
  const { point } = at(evaluation, 0.1, 1);
  expect(point).toMatchObject({ tp: 0, fp: 0, tprLower: 0, tprUpper: 0, fprUpper: 0, precision: null });
  expect(at(evaluation, 0.1, 0).point).toMatchObject({ tp: 4, fp: 5, tprLower: 1, fprUpper: 1 });
});

test("a label with too few residuals has no limits", () => {
  const frame = at(
    sampleEvaluation({
      residuals: [few(12), few(100)],
      n_calibration: [12, 100],
    }),
    0.05,
    0.5,
  );
  expect(frame.orderStatistics?.[0].map(({ residual }) => residual)).toEqual([-1 / 0, 1 / 0]);
  expect(frame.auc).toEqual([expect.any(Number), expect.any(Number)]);
});

test("thinned residuals give the very order statistics at the stops, and near ones between them", () => {
  const n = 5000;
  const stops = ALPHA_STOPS.flatMap((alpha) => ranks(n, alpha, "paper"));
  const values = Array.from({ length: 100 }, (_, i) => Math.floor(((i + 0.5) * n) / 100) + 1);
  const thinned = { n, values: float64s(values), stops: float64s(stops) };
  const of = sampleEvaluation({ whole: false, residuals: [thinned, thinned] });
  const residuals = (alpha: number) =>
    at(of, alpha, 0.5).orderStatistics?.[0].map(({ residual }) => residual);
  for (const alpha of ALPHA_STOPS) expect(residuals(alpha)).toEqual(ranks(n, alpha, "paper"));
  residuals(0.0555)?.forEach((residual, end) => {
    expect(Math.abs(residual - ranks(n, 0.0555, "paper")[end])).toBeLessThanOrEqual(n / 100 / 2 + 1);
  });
});

test("of a simplified curve the counts are exact at its vertices and at whole thousandths", () => {
  const grid = (most: number) =>
    counts(Array.from({ length: 1001 }, (_, i) => Math.floor((i / 1000) * most)));
  const of = sampleEvaluation({ simplified: true, grid: { fp: grid(5), tp: grid(4) } });
  expect(at(of, 0.1, 0.5).point).toMatchObject({ fp: 2, tp: 3 });
  expect(at(of, 0.1, 0.25).point).toMatchObject({ fp: 3, tp: 3 });
  expect(at(of, 0.1, 0.2512).point).toMatchObject({ fp: 3, tp: 4 });
});

test("a localized evaluation has the alphas that were computed ahead, at every threshold", () => {
  expect(stopsOf(evaluation)).toBeNull();
  expect(stopsOf(localized)).toEqual([0.05, 0.1]);
  expect(frameAt(localized, 0.2, 0.5)).toBeNull();
  const frame = at(localized, 0.05, 0.42);
  expect(frame.orderStatistics).toBeNull();
  expect(frame.local).toEqual({ vacuousShare: [0.2, 0], missing: MISSING });
  expect(frame.point).toMatchObject({ tp: 3, fp: 2, tprLower: 0.5, tprUpper: 1 });
});

test("a localized evaluation without them has what the last frame tells: its vertices", () => {
  const of = sampleEvaluation(LOCALIZED);
  expect(stopsOf(of)).toEqual([]);
  expect(frameAt(of, 0.05, 0.5)).toBeNull();
  const frame = sampleFrame();
  expect(movedTo(of, frame, 0.42)).toBeNull();
  expect(movedTo(of, frame, THRESHOLDS[2])?.point).toMatchObject({
    tp: 2,
    fp: 1,
    tprLower: 0.25,
    tprUpper: 1,
  });
});

test("a threshold that moves does not compute the limits anew", () => {
  expect(at(evaluation, 0.2, 0.4).limits).toBe(at(evaluation, 0.2, 0.6).limits);
});

/** An array that counts how often it is read. */
function counted(array: Float64Array, counter: { reads: number }): Float64Array {
  return new Proxy(array, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value === "number" && name !== "length") counter.reads += 1;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("a frame of 4,000 points and 4,000 vertices reads each of them a few times, and sorts nothing", () => {
  const m = 2000;
  const logits = (shift: number) => Array.from({ length: m }, (_, i) => (8 * (i + shift)) / m - 4);
  const sorted = (values: number[]) => ({ n: values.length, values: float64s(values) });
  const scores = [...logits(0), ...logits(0.5)].sort((a, b) => b - a).map((x) => 1 / (1 + Math.exp(-x)));
  const steps = (label: 0 | 1) =>
    counts([0, ...scores.map((_, i) => (i + 1 + (1 - label)) >> 1)].map((c) => Math.min(c, m)));
  const large = sampleEvaluation({
    n_test: [m, m],
    thresholds: float64s([Number.POSITIVE_INFINITY, ...scores]),
    fp: steps(0),
    tp: steps(1),
    centres: [sorted(logits(0)), sorted(logits(0.5))],
    residuals: [few(4000), few(4000)],
  });
  const counter = { reads: 0 };
  const [zeros, ones] = (large.centres ?? []).map(({ n, values }) => ({
    n,
    values: counted(values, counter),
  }));
  const watched = { ...large, logits: counted(large.logits, counter), centres: [zeros, ones] as const };
  for (const alpha of [0.05, 0.2]) {
    counter.reads = 0;
    expect(at(watched, alpha, 0.5)).toEqual(at(large, alpha, 0.5));
    expect(counter.reads).toBeGreaterThan(8000);
    expect(counter.reads).toBeLessThan(12 * 8000);
  }
});
