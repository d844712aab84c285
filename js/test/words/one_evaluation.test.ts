import { expect, test } from "vitest";
import { factAndReason } from "../../src/words/notes_text.ts";
import {
  alphaValueText,
  className,
  localWords,
  pointValueText,
  reach,
  sentence,
  shareText,
  title,
  tooFewPoints,
} from "../../src/words/one_evaluation.ts";
import {
  LOCALIZED_FRAME,
  sampleEvaluation,
  sampleFrame,
  WITHOUT_LIMITS,
  WITHOUT_LIMITS_0,
} from "../sample.ts";

const said = (...of: Parameters<typeof sentence>) =>
  sentence(...of)
    .map(({ text }) => text)
    .join("");

const evaluation = sampleEvaluation();

test("the sentence speaks of the sensitivity for the vertical band", () => {
  expect(said(evaluation, sampleFrame(), "sensitivity")).toBe(
    "At threshold 0.50, this classifier’s sensitivity on these 9 test points is 0.75. With 95 % confidence, an ideal model " +
      "that knows the true probabilities, cut at the same threshold on the same points, would have a sensitivity " +
      "between 0.50 and 1.00.",
  );
});

test("the sentence turns FPR limits into specificity limits", () => {
  expect(said(evaluation, sampleFrame(), "specificity")).toContain("a specificity between 0.20 and 0.80.");
});

test("the sentence grants each of two bands its own confidence", () => {
  const words = said(evaluation, sampleFrame(), "both");
  expect(words).toContain("is 0.75 and its specificity 0.60. With 95 % confidence each, an ideal");
  expect(words).toContain("a sensitivity between 0.50 and 1.00 and a specificity between 0.20 and 0.80.");
});

test("the sentence says which rate has no limits", () => {
  const frame = sampleFrame(WITHOUT_LIMITS_0);
  expect(said(evaluation, frame, "both")).toContain("between 0.50 and 1.00; its specificity has no limits.");
  expect(said(evaluation, frame, "specificity")).toContain(
    "With 95 % confidence, the specificity of an ideal model that knows the true probabilities has no limits.",
  );
  expect(said(evaluation, sampleFrame(WITHOUT_LIMITS), "both")).toContain(
    "the sensitivity and the specificity of an ideal model that knows the true probabilities have no limits.",
  );
});

test("titles have a short form", () => {
  expect(title(0.05, "sensitivity", false)).toBe("ROC curve with 95 % conformal band");
  expect(title(0.1, "both", true)).toBe("ROC curve, 90 % bands");
});

test("value texts say what a slider stands at", () => {
  expect(alphaValueText(0.05)).toBe("0.05, 95 % confidence");
  expect(pointValueText(0.5, sampleFrame().point)).toBe(
    "threshold 0.50; true positive rate 0.75, 0.50 to 1.00; false positive rate 0.40, 0.20 to 0.80",
  );
});

test("the hatched part of the alpha track names the label where there is one", () => {
  expect(tooFewPoints(sampleFrame(WITHOUT_LIMITS_0))).toBe("too few points of label 0");
  expect(tooFewPoints(sampleFrame())).toBe("too few points");
});

test("a class is named where its name says more than its number", () => {
  expect(className(1, ["0", "1"])).toBe("");
  expect(className(0, ["malignant", "benign"])).toBe("malignant");
});

test("a note is its first sentence and the rest", () => {
  expect(factAndReason("12.5 % lie far away. Read with care.")).toEqual([
    "12.5 % lie far away.",
    "Read with care.",
  ]);
  expect(factAndReason("One sentence")).toEqual(["One sentence", ""]);
});

test("where points have intervals of their own, the sentence says how many of these say nothing", () => {
  const frame = sampleFrame({ ...LOCALIZED_FRAME, local: { vacuous_share: [0.2, 0.021] } });
  expect(said(evaluation, frame, "both")).toMatch(
    / The intervals of 2\.1 % of the points of label 1 and 20 % of the points of label 0 are everything from 0 to 1\.$/,
  );
  expect(said(evaluation, sampleFrame(LOCALIZED_FRAME), "sensitivity")).not.toContain("everything");
});

test("a strip of such points says what its label has", () => {
  const frame = sampleFrame(LOCALIZED_FRAME);
  expect(localWords(frame, 1)).toBe("a pair for each test point");
  expect(localWords(frame, 0)).toBe("a pair for each test point; 20 % without limits");
});

test("how far the test points reach is told where it matters", () => {
  const at = (share: number, about: boolean) => sampleEvaluation({ support: { share, about } });
  expect(reach(at(0.05, false), sampleFrame())).toBe("");
  expect(reach(at(0.12, false), sampleFrame())).toBe(
    "12 % of the test points lie far from the calibration data",
  );
  expect(reach(at(0.12, true), sampleFrame(LOCALIZED_FRAME))).toBe(
    "about 12 % of the test points lie far from the calibration data; 20 % of the points of label 0 have no limits",
  );
  expect(reach(sampleEvaluation({ support: null }), sampleFrame())).toBe("");
});

test("a small share is not called none, nor a large one all", () => {
  expect([0, 0.0004, 0.12, 0.9995, 1].map(shareText)).toEqual([
    "0 %",
    "less than 0.1 %",
    "12 %",
    "more than 99.9 %",
    "100 %",
  ]);
});
