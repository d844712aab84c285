import { expect, test } from "vitest";
import {
  ownPrevalence,
  precisionAt,
  precisionLimits,
  precisionRecall,
} from "../../src/evaluation/precision_recall.ts";
import { SCORES, sampleEvaluation, sampleFrame, THRESHOLDS } from "../sample.ts";

const evaluation = sampleEvaluation();
const { limits } = sampleFrame();

/** The range of precision, naively: over a grid of pairs of rates within their limits at which rows are called. */
function searched(tpr: [number, number], fpr: [number, number], prevalence: number): [number, number] {
  const steps = Array.from({ length: 51 }, (_, i) => i / 50);
  const found = steps.flatMap((a) =>
    steps.map((b) => {
      const rightly = (tpr[0] + a * (tpr[1] - tpr[0])) * prevalence;
      const wrongly = (fpr[0] + b * (fpr[1] - fpr[0])) * (1 - prevalence);
      return rightly / (rightly + wrongly);
    }),
  );
  const known = found.filter((precision) => !Number.isNaN(precision));
  return [Math.min(...known), Math.max(...known)];
}

test("at the test set’s own share of positives precision is a share of those called", () => {
  expect(ownPrevalence(evaluation)).toBe(4 / 9);
  const { line } = precisionRecall(evaluation, limits, 4 / 9);
  THRESHOLDS.forEach((threshold, i) => {
    const [fp, tp] = SCORES.map((scores) => scores.filter((score) => score >= threshold).length);
    expect(line.x[i]).toBe(tp / 4);
    expect(line.y[i]).toBeCloseTo(tp + fp === 0 ? 1 : tp / (tp + fp), 14);
  });
});

test("elsewhere Bayes’ rule gives it", () => {
  expect(precisionAt(0.75, 0.4, 0.1)).toBeCloseTo(0.075 / (0.075 + 0.36), 14);
  expect(precisionAt(0, 0, 0.1)).toBeNaN();
  expect(precisionAt(0, 0.5, 0.1)).toBe(0);
});

test.each([
  [0.1, 0.9, 0.2, 0.7],
  [0, 0.9, 0, 0.7],
  [0, 0.9, 0, 0],
  [0, 0, 0, 0.7],
  [0.4, 0.4, 0, 0],
])("limits from %d to %d and %d to %d allow what a search finds", (low1, high1, low0, high0) => {
  for (const prevalence of [0.05, 4 / 9]) {
    const ends = { tprLower: low1, tprUpper: high1, fprLower: low0, fprUpper: high0 };
    const wanted = searched([low1, high1], [low0, high0], prevalence);
    precisionLimits(ends, prevalence).forEach((end, i) => {
      expect(end).toBeCloseTo(wanted[i], 12);
    });
  }
});

test("where nobody can be called, precision may be anything", () => {
  const nobody = { tprLower: 0, tprUpper: 0, fprLower: 0, fprUpper: 0 };
  expect(precisionLimits(nobody, 0.3)).toEqual([0, 1]);
});

test("average precision weighs each precision with the recall that it adds", () => {
  const { averagePrecision } = precisionRecall(evaluation, limits, 4 / 9);
  // Recall 0, 1/2, 1/2, 3/4, 1, 1; precision 1, 1, 2/3, 3/5, 4/7, 4/9.
  expect(averagePrecision).toBeCloseTo(1 / 2 + (1 / 4) * (3 / 5) + (1 / 4) * (4 / 7), 14);
});

test("limits that were seen last give the same curve without computing", () => {
  const curve = precisionRecall(evaluation, limits, 0.2);
  expect(precisionRecall(evaluation, limits, 0.2)).toBe(curve);
  expect(precisionRecall(evaluation, limits, 0.3)).not.toBe(curve);
  expect(precisionRecall(evaluation, { ...limits }, 0.3).lower).toEqual(
    precisionRecall(evaluation, limits, 0.3).lower,
  );
});
