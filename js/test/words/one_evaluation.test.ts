import { expect, test } from "vitest";
import type { Frame } from "../../src/evaluation/types.ts";
import {
  alphaValueText,
  className,
  levelText,
  localWords,
  missingLines,
  outsideLimits,
  pointValueText,
  reach,
  sentence,
  shareText,
  title,
  withClassNames,
} from "../../src/words/one_evaluation.ts";
import {
  float64s,
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

/** Order statistics of label 0 and of label 1, of which some may be infinite. */
const lacking = (...quantiles: number[][]) => float64s(quantiles.flat());

test("the sentence speaks of the sensitivity for the vertical band", () => {
  expect(said(evaluation, sampleFrame(), "sensitivity")).toBe(
    "At threshold 0.50, this classifier’s sensitivity on these 9 test points is 0.75; an ideal model’s, at the same " +
      "threshold, would lie between 0.50 and 1.00 (95 %, for a threshold picked blindly).",
  );
});

test("the sentence turns FPR limits into specificity limits", () => {
  expect(said(evaluation, sampleFrame(), "specificity")).toContain("would lie between 0.20 and 0.80 (95 %");
});

test("the sentence grants each of two bands its own confidence", () => {
  const words = said(evaluation, sampleFrame(), "both");
  expect(words).toContain("is 0.75 and its specificity 0.60; an ideal model’s sensitivity, at the same");
  expect(words).toContain(
    "between 0.50 and 1.00 and its specificity between 0.20 and 0.80 (95 % each, for a threshold picked blindly).",
  );
});

test("the sentence says which rate has no limits, and how many points one needs", () => {
  const frame = sampleFrame(WITHOUT_LIMITS_0);
  const few = sampleEvaluation({ n_calibration: [12, 1] });
  expect(said(few, frame, "both")).toContain(
    "(95 %, for a threshold picked blindly); its specificity may be anything: a limit of the specificity needs 19 " +
      "calibration points, here are 12.",
  );
  expect(said(few, frame, "specificity")).toContain(
    "; an ideal model’s specificity, at the same threshold, may be anything: a limit needs 19 calibration points, here are 12.",
  );
  expect(said(few, sampleFrame(WITHOUT_LIMITS), "both")).toContain(
    "; an ideal model’s sensitivity and specificity, at the same threshold, may be anything: a limit of the " +
      "sensitivity needs 19 calibration points, here is 1; a limit of the specificity needs 19 calibration points, here are 12.",
  );
});

test("the sentence says which of two limits is missing", () => {
  const few = sampleEvaluation({ n_calibration: [57, 57] });
  const upperOnly = sampleFrame({ quantiles: lacking([-1, 1], [-1 / 0, 1]) });
  expect(said(few, upperOnly, "sensitivity")).toContain(
    "; an ideal model’s, at the same threshold, would be at most 1.00 (95 %, for a threshold picked blindly); a lower " +
      "limit needs 79 calibration points, here are 57.",
  );
  expect(said(few, upperOnly, "both")).toContain(
    "; an ideal model’s sensitivity, at the same threshold, would be at most 1.00 and its specificity would lie between " +
      "0.20 and 0.80 (95 % each, for a threshold picked blindly); a lower limit of the sensitivity needs 79 calibration " +
      "points, here are 57.",
  );
  const withoutFprLower = sampleFrame({ quantiles: lacking([-1 / 0, 1], [-1, 1]) });
  expect(said(few, withoutFprLower, "specificity")).toContain(
    "would be at least 0.20 (95 %, for a threshold picked blindly); an upper limit needs 79 calibration points, here are 57.",
  );
  expect(said(evaluation, withoutFprLower, "specificity")).toContain(
    "; there are too few calibration points for an upper limit.",
  );
});

test("the level agrees with the guarantee", () => {
  const level = (kind: Frame["kind"]) => levelText({ alpha: 0.05, kind });
  expect(level("individual")).toBe("95 %, for a threshold picked blindly");
  expect(level("curve")).toBe("95 % on average, for a threshold picked blindly");
  expect(level("none")).toBe("no level is promised");
  expect(level("simultaneous")).toBe("95 %, at every threshold at once");
  expect(level("everywhere")).toBe("95 %, at every threshold at once");
});

test("limits at every threshold at once are of an ideal recalibration", () => {
  expect(
    said(
      sampleEvaluation({ simultaneous: true }),
      sampleFrame({ kind: "simultaneous", model: "an ideal recalibration" }),
      "sensitivity",
    ),
  ).toContain(
    "; an ideal recalibration’s, at the same threshold, would lie between 0.50 and 1.00 (95 %, at every threshold at once).",
  );
});

test("a rate outside its own limits says why", () => {
  const frame = sampleFrame();
  const of = (label: 0 | 1, changes: object) =>
    outsideLimits(label, { ...frame, point: { ...frame.point, ...changes } }, ["well", "ill"]);
  expect(of(1, {})).toBeNull();
  expect(of(1, { tprUpper: 0.7 })).toMatch(/^The sensitivity .* above .* scores of ill are too high/);
  expect(of(1, { tprLower: 0.8 })).toMatch(/^The sensitivity .* below .* scores of ill are too low/);
  expect(of(0, { fprUpper: 0.3 })).toMatch(/^The specificity .* below .* scores of well are too high/);
  expect(of(0, { fprLower: 0.5 })).toMatch(/^The specificity .* above .* scores of well are too low/);
});

test("limits that leave everything possible have a reason, missing ones have their own", () => {
  const of = (label: 0 | 1, overrides = {}) => {
    const frame = sampleFrame(overrides);
    const point = { ...frame.point, tprLower: 0, tprUpper: 1, fprLower: 0, fprUpper: 1 };
    return outsideLimits(label, { ...frame, point }, ["well", "ill"]);
  };
  expect(of(1)).toBe(
    "All intervals of ill cross this threshold: the limits of the sensitivity say nothing here.",
  );
  expect(of(0)).toMatch(/^All intervals of well cross .* specificity say nothing/);
  expect(of(0, WITHOUT_LIMITS_0)).toBeNull();
});

test("titles have a short form", () => {
  expect(title(0.05, "sensitivity", false)).toBe("ROC curve with 95 % conformal band");
  expect(title(0.1, "both", true)).toBe("ROC curve, 90 % bands");
});

test("value texts say what a slider stands at", () => {
  expect(alphaValueText(0.05)).toBe("95 % confidence, α 0.05");
  expect(pointValueText(sampleFrame())).toBe(
    "threshold 0.50; true positive rate 0.75, 0.50 to 1.00; false positive rate 0.40, 0.20 to 0.80",
  );
});

test("a missing limit is named on the plot, with the points it needs", () => {
  const few = sampleEvaluation({ n_calibration: [57, 12] });
  const lines = (label: 0 | 1, ...quantiles: number[][]) =>
    missingLines(few, sampleFrame({ quantiles: lacking(...quantiles) }), label);
  expect(lines(1, [-1, 1], [-1 / 0, 1])).toEqual([
    "sensitivity: no lower limit",
    "79 points needed, here are 12",
  ]);
  expect(lines(1, [-1, 1], [-1 / 0, 1 / 0])).toEqual([
    "sensitivity: no limits",
    "19 points needed, here are 12",
  ]);
  expect(lines(0, [-1, 1 / 0], [-1, 1])).toEqual([
    "specificity: no lower limit",
    "79 points needed, here are 57",
  ]);
  expect(missingLines(evaluation, sampleFrame({ quantiles: lacking([-1, 1], [-1 / 0, 1]) }), 1)[1]).toBe(
    "too few calibration points",
  );
});

test("a class that is called by a number has its noun", () => {
  expect(className(1, ["0", "1"])).toBe("class 1");
  expect(className(0, ["False", "True"])).toBe("class False");
  expect(className(0, ["malignant", "benign"])).toBe("malignant");
});

test("names stand for labels in Python’s sentences", () => {
  const text = "Label 1 is rare; 3 points of label 0 are not. A label 12 stays.";
  expect(withClassNames(text, ["well", "ill"])).toBe(
    "ill is rare; 3 points of well are not. A label 12 stays.",
  );
  expect(withClassNames("say pos_label=0.", ["well", "ill"])).toBe("say pos_label='well'.");
  expect(withClassNames("say pos_label=1.", ["2", "3"])).toBe("say pos_label=3.");
  expect(withClassNames(text, ["0", "1"])).toBe(
    "Class 1 is rare; 3 points of class 0 are not. A label 12 stays.",
  );
});

test("where points have intervals of their own, the sentence says how many of these say nothing", () => {
  const frame = sampleFrame({
    ...LOCALIZED_FRAME,
    local: { vacuous_share: [0.2, 0.021] },
  });
  expect(said(evaluation, frame, "both")).toMatch(
    / The intervals of 2\.1 % of the points of class 1 and 20 % of the points of class 0 are everything from 0 to 1\.$/,
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
    "about 12 % of the test points lie far from the calibration data; 20 % of the points of class 0 have no limits",
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
