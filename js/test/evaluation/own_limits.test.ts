// Limits that a page makes from other numbers than limits.

import { expect, it } from "vitest";
import { logit } from "../../src/base/logit.ts";
import { ownIntervals } from "../../src/evaluation/own_limits.ts";
import { shiftedLimits } from "../../src/evaluation/shifted_limits.ts";
import { sharesAbove } from "../../src/evaluation/sorted_sample.ts";

const floats = (...numbers: number[]) => Float64Array.from(numbers);
/** Rows of label 0 at 0.2, 0.2 and 0.5, rows of label 1 at 0.5 and 0.8. */
const vertices = {
  thresholds: floats(Number.POSITIVE_INFINITY, 0.8, 0.5, 0.2),
  falsePositives: floats(0, 0, 1, 3),
  truePositives: floats(0, 1, 2, 2),
};

it("gives each row the bounds at its score", () => {
  const first = floats(0.2, 0.5, 0.8);
  const { lower, upper } = ownIntervals(
    vertices,
    { first, last: first, isotonic: floats(0, 0.5, 1), stops: [] },
    { alpha: 0.1, lower: floats(0, 0.3, 0.3), upper: floats(0.4, 0.4, 0.9) },
  );
  const cuts = floats(0.95, 0.8, 0.35, 0.25, 0).map(logit);
  // Lower bounds of label 0: 0, 0, 0.3. Of label 1: 0.3, 0.3.
  expect([...sharesAbove(lower[0], cuts)]).toEqual([0, 0, 0, 1 / 3, 1 / 3]);
  expect([...sharesAbove(lower[1], cuts)]).toEqual([0, 0, 0, 1, 1]);
  // Upper bounds of label 0: 0.4, 0.4, 0.4. Of label 1: 0.4, 0.9.
  expect([...sharesAbove(upper[0], cuts)]).toEqual([0, 0, 1, 1, 1]);
  expect([...sharesAbove(upper[1], cuts)]).toEqual([0, 0.5, 1, 1, 1]);
});

it("interpolates limits between vertices, and knows both ends", () => {
  const half = (logit(0.5) - logit(0.2)) / 2;
  const infinite = Number.POSITIVE_INFINITY;
  const limits = shiftedLimits(vertices, floats(-infinite, infinite, -half, half));
  expect([...limits.fprLower]).toEqual([0, 0, 0, 0]);
  expect([...limits.fprUpper]).toEqual([0, 1, 1, 1]);
  // The logits of 0.8 and of 0.2 are as far from that of 0.5. From 0.8 half of that way up is above all scores.
  const [, atFirst, atSecond, atLast] = limits.tprLower;
  expect([atFirst, atLast]).toEqual([0, 1]);
  expect(atSecond).toBeCloseTo(0.75, 12);
  expect(limits.tprUpper[1]).toBeCloseTo(0.75, 12);
  expect([...limits.tprUpper.slice(2)]).toEqual([1, 1]);
});
