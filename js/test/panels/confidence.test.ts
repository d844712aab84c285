// @vitest-environment jsdom

import { expect, test } from "vitest";
import { confidenceTicks, missingBelow, oftenWords } from "../../src/panels/confidence.ts";
import { sampleEvaluation } from "../sample.ts";

test("the alpha track tells where there are no limits and where there is one", () => {
  const [one, other] = ["paper", "split"].map((rule) => sampleEvaluation({ rule }));
  expect(missingBelow([one])).toEqual({ none: 0.01, one: 0.04 });
  expect(missingBelow([other])).toEqual({ none: 0.01, one: 0.01 });
});

test("ticks speak confidence, and leave out a label that would touch another", () => {
  const texts = (width: number) => confidenceTicks(width).map(({ text }) => text);
  expect(texts(344)).toEqual(["99.9 %\nα = 0.001", "99 %\n0.01", "95 %\n0.05", "90 %\n0.1", "", "50 %\n0.5"]);
  expect(texts(150)).toEqual(["99.9 %\nα = 0.001", "", "95 %\n0.05", "", "", "50 %\n0.5"]);
});

test("how often limits hold is said in whole numbers", () => {
  expect(oftenWords(0.05, "confidence.often")).toBe("limits hold in 95 of 100 test sets like this");
  expect(oftenWords(0.025, "confidence.often")).toBe("limits hold in 975 of 1,000 test sets like this");
  expect(oftenWords(0.05, "confidence.hardly")).toBe("95 of 100 datasets; band hardly moves");
});
