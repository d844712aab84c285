import { expect, test } from "vitest";
import {
  alphaValueText,
  className,
  localWords,
  pointValueText,
  reach,
  shareText,
} from "../../src/words/one_evaluation.ts";
import { LOCALIZED_FRAME, sampleEvaluation, sampleFrame } from "../sample.ts";

test("value texts say what a slider stands at", () => {
  expect(alphaValueText(0.05)).toBe("95 % confidence, α 0.05");
  expect(pointValueText(sampleFrame())).toBe(
    "threshold 0.50; true positive rate 0.75, 0.50 to 1.00; false positive rate 0.40, 0.20 to 0.80",
  );
});

test("a class that is called by a number has its noun", () => {
  expect(className(1, ["0", "1"])).toBe("class 1");
  expect(className(0, ["False", "True"])).toBe("class False");
  expect(className(0, ["malignant", "benign"])).toBe("malignant");
});

test("a strip of such points says what its label has", () => {
  const frame = sampleFrame(LOCALIZED_FRAME);
  expect(localWords(frame, 1)).toBe("a pair for each test point");
  expect(localWords(frame, 0)).toBe("a pair for each test point; 20 % without limits");
  expect(localWords({ ...frame, kind: "everywhere" }, 0)).toBe("every rank has its part in the limits");
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
