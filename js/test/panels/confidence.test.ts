import { expect, test } from "vitest";
import { confidenceTicks, missingBelow } from "../../src/panels/confidence.ts";
import { sampleEvaluation } from "../sample.ts";

test("the alpha track tells where there are no limits and where there is one", () => {
  const [one, other] = ["paper", "split"].map((rule) => sampleEvaluation({ rule }));
  expect(missingBelow([one])).toEqual({ none: 0.01, one: 0.04 });
  expect(missingBelow([other])).toEqual({ none: 0.01, one: 0.01 });
});

test("ticks speak confidence, and leave out a label that would touch another", () => {
  const texts = (width: number) => confidenceTicks(width).map(({ text }) => text);
  expect(texts(344)).toEqual(["", "99 %", "95 %", "90 %", "", "50 %"]);
  expect(texts(150)).toEqual(["", "99 %", "95 %", "", "", "50 %"]);
});
