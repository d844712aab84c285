import { expect, test } from "vitest";
import {
  arcCaption,
  arcCorner,
  CURVE_CAPTION,
  recalibrationSentence,
} from "../../src/words/recalibration.ts";
import type { Run } from "../../src/words/runs.ts";
import { sampleEvaluation, sampleFrame } from "../sample.ts";

const evaluation = sampleEvaluation({ simultaneous: true });
const frame = sampleFrame();
const textOf = (runs: Run[]) => runs.map(({ text }) => text).join("");
const linesOf = (lines: Run[][]) => lines.map(textOf);

test("the sentence has the observed rate, the limits of an ideal recalibration and the level", () => {
  expect(textOf(recalibrationSentence(evaluation, frame, [1]))).toBe(
    "At threshold 0.50, this score’s sensitivity on these 9 test points is 0.75. An ideal recalibration of this " +
      "score, cut at 0.50, would have a sensitivity between 0.50 and 1.00; this holds at every threshold at once (95 %).",
  );
});

test("the specificity’s limits are those of the false positive rate, turned round", () => {
  expect(textOf(recalibrationSentence(evaluation, frame, [0]))).toContain(
    "this score’s specificity on these 9 test points is 0.60. An ideal recalibration of this score, cut at 0.50, " +
      "would have a specificity between 0.20 and 0.80;",
  );
});

test("both rates stand in one sentence, each in the colour of its label", () => {
  const runs = recalibrationSentence(evaluation, frame, [1, 0]);
  expect(textOf(runs)).toContain("sensitivity on these 9 test points is 0.75 and its specificity 0.60.");
  expect(textOf(runs)).toContain("between 0.50 and 1.00 and a specificity between 0.20 and 0.80;");
  const coloured = runs.filter(({ tone }) => tone === "label1" || tone === "label0");
  expect(coloured.map(({ text, tone }) => [tone, text])).toEqual([
    ["label1", "between 0.50 and 1.00"],
    ["label0", "between 0.20 and 0.80"],
  ]);
});

test("captions name the arc, its level and the curve", () => {
  expect(linesOf(arcCaption({ ...frame, alpha: 0.0125, threshold: 0.0004 })).join(" ")).toBe(
    "an ideal recalibration, cut at 0.0004, stands on this arc: 98.75 %, at every threshold at once",
  );
  expect(linesOf(CURVE_CAPTION)[1]).toBe("recalibrating does not move it");
  expect(linesOf(arcCorner(evaluation, frame))).toEqual(["AUC 0.85", "with ties 0.41 to 1.00"]);
});
