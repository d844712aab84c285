import { expect, test } from "vitest";
import {
  alphaValueText,
  announcement,
  className,
  factAndReason,
  pointValueText,
  title,
  tooFewPoints,
} from "../src/text.ts";
import { sampleEvaluation, sampleFrame, WITHOUT_LIMITS, WITHOUT_LIMITS_0 } from "./sample.ts";

const evaluation = sampleEvaluation();

test("the sentence speaks of the sensitivity for the vertical band", () => {
  expect(announcement(evaluation, sampleFrame(), "sensitivity")).toBe(
    "At threshold 0.50, this classifier’s sensitivity on these 9 test points is 0.75. With 95 % confidence, an ideal model " +
      "that knows the true probabilities, cut at the same threshold on the same points, would have a sensitivity " +
      "between 0.50 and 1.00.",
  );
});

test("the sentence turns FPR limits into specificity limits", () => {
  expect(announcement(evaluation, sampleFrame(), "specificity")).toContain(
    "a specificity between 0.20 and 0.80.",
  );
});

test("the sentence grants each of two bands its own confidence", () => {
  const words = announcement(evaluation, sampleFrame(), "both");
  expect(words).toContain("is 0.75 and its specificity 0.60. With 95 % confidence each, an ideal");
  expect(words).toContain("a sensitivity between 0.50 and 1.00 and a specificity between 0.20 and 0.80.");
});

test("the sentence says which rate has no limits", () => {
  const frame = sampleFrame(WITHOUT_LIMITS_0);
  expect(announcement(evaluation, frame, "both")).toContain(
    "between 0.50 and 1.00; its specificity has no limits.",
  );
  expect(announcement(evaluation, frame, "specificity")).toContain(
    "With 95 % confidence, the specificity of an ideal model that knows the true probabilities has no limits.",
  );
  expect(announcement(evaluation, sampleFrame(WITHOUT_LIMITS), "both")).toContain(
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
