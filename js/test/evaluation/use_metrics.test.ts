import { expect, test } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import type { Evaluation, OperatingPoint } from "../../src/evaluation/types.ts";
import { expectedCost, frequencies, leastCost, useMetrics } from "../../src/evaluation/use_metrics.ts";

/** 3 of 4 positives and 2 of 5 negatives are called. */
const point = {
  ...{ tp: 3, fn: 1, fp: 2, tn: 3 },
  ...{ tpr: 3 / 4, tprLower: 1 / 2, tprUpper: 1, fpr: 2 / 5, fprLower: 1 / 5, fprUpper: 3 / 5 },
} as OperatingPoint;

/** Figures computed from counts by textbook formulas. */
function naive(tp: number, fn: number, fp: number, tn: number) {
  const n = tp + fn + fp + tn;
  const sensitivity = tp / (tp + fn);
  const specificity = tn / (tn + fp);
  return [
    tp / (tp + fp),
    tn / (tn + fn),
    (tp + tn) / n,
    (sensitivity + specificity) / 2,
    (2 * tp) / (2 * tp + fp + fn),
    (tp * tn - fp * fn) / Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    sensitivity / (1 - specificity),
    (1 - sensitivity) / specificity,
  ];
}

test("at the test set’s own share every figure is that of the counts", () => {
  const observed = useMetrics(point, 4 / 9).map((metric) => metric.observed);
  naive(3, 1, 2, 3).forEach((value, i) => {
    expect(observed[i]).toBeCloseTo(value, 12);
  });
});

test("they are scikit-learn’s", () => {
  for (const { counts, values } of numbers.figures) {
    const [tp, fn, fp, tn] = counts;
    const at = { ...point, tpr: tp / (tp + fn), fpr: fp / (fp + tn) };
    const observed = useMetrics(at, (tp + fn) / (tp + fn + fp + tn)).map((metric) => metric.observed);
    expect(observed.length).toBe(values.length);
    values.forEach((value, i) => {
      expect(observed[i]).toBeCloseTo(value, 10);
    });
  }
});

test("the ranges are the extremes over all counts that both intervals allow", () => {
  const tables = [2, 3, 4].flatMap((tp) => [1, 2, 3].map((fp) => naive(tp, 4 - tp, fp, 5 - fp)));
  useMetrics(point, 4 / 9).forEach(({ name, range }, i) => {
    const values = tables.map((table) => table[i]);
    expect(range?.[0], name).toBeCloseTo(Math.min(...values), 12);
    expect(range?.[1], name).toBeCloseTo(Math.max(...values), 12);
  });
});

test("where one in ten is positive a call is right less often", () => {
  const [ppv, npv] = useMetrics(point, 0.1);
  expect(ppv.observed).toBeCloseTo(0.075 / (0.075 + 0.36), 12);
  expect(npv.observed).toBeCloseTo(0.54 / (0.54 + 0.025), 12);
});

test("natural frequencies keep the sums of their groups", () => {
  expect(frequencies(point, 0.1)).toEqual({ tp: 75, fn: 25, fp: 360, tn: 540 });
  const odd = frequencies(point, 0.333);
  expect(odd.tp + odd.fn).toBe(333);
  expect(odd.fp + odd.tn).toBe(667);
});

test("the least expected cost is that of all vertices", () => {
  const evaluation = {
    nTest: [5, 4],
    thresholds: Float64Array.of(Number.POSITIVE_INFINITY, 0.9, 0.7, 0.4, 0.2),
    truePositives: Float64Array.of(0, 1, 3, 3, 4),
    falsePositives: Float64Array.of(0, 0, 1, 2, 5),
    tpr: Float64Array.of(0, 1 / 4, 3 / 4, 3 / 4, 1),
    fpr: Float64Array.of(0, 0, 1 / 5, 2 / 5, 1),
  } as unknown as Evaluation;
  for (const share of [0.01, 0.1, 4 / 9, 0.8]) {
    for (const cost of [0.5, 1, 8, 100]) {
      const costs = Array.from(evaluation.tpr, (tpr, i) =>
        expectedCost({ tpr, fpr: evaluation.fpr[i] }, share, cost),
      );
      expect(costs[leastCost(evaluation, share, cost).vertex]).toBeCloseTo(Math.min(...costs), 12);
    }
  }
});
