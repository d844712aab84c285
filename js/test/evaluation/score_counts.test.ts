import { expect, test } from "vitest";
import { binHeights } from "../../src/evaluation/score_counts.ts";
import { sampleEvaluation } from "../sample.ts";

const evaluation = sampleEvaluation();

test("the counts along the score are those of the test points, with 1 in the last bin", () => {
  const counts = (of: typeof evaluation) => [...binHeights(of)].map((height) => Math.round(height / 0.03));
  const wanted = new Array(40).fill(0);
  Object.assign(wanted, { 4: 2, 12: 2, 20: 2, 28: 1, 36: 2 });
  expect(counts(evaluation)).toEqual(wanted);
  const thresholds = evaluation.thresholds.map((threshold) => (threshold === 0.9 ? 1 : threshold));
  Object.assign(wanted, { 36: 0, 39: 2 });
  expect(counts({ ...evaluation, thresholds })).toEqual(wanted);
});
