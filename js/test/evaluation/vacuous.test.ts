import { expect, test } from "vitest";
import { informativeSides, limitsText } from "../../src/base/format.ts";
import type { Label } from "../../src/evaluation/types.ts";
import { BOTH, hasLimits, jointSides, pointsLacking, sidesOf } from "../../src/evaluation/vacuous.ts";
import { float64s, LOCALIZED_FRAME, sampleEvaluation, sampleFrame } from "../sample.ts";

const INFINITE = Number.POSITIVE_INFINITY;
const frameWith = (...quantiles: number[]) => sampleFrame({ quantiles: float64s(quantiles) });

test("a limit is there where its order statistic is finite", () => {
  const frame = frameWith(-INFINITE, 1, -1, INFINITE);
  expect(sidesOf(frame, 0)).toEqual([false, true]);
  expect(sidesOf(frame, 1)).toEqual([true, false]);
  expect([0, 1].map((label) => hasLimits(frame, label as Label))).toEqual([true, true]);
  expect(hasLimits(frameWith(-INFINITE, INFINITE, -1, 1), 0)).toBe(false);
});

test("with intervals of their own a limit is missing where all points lack it", () => {
  expect(sidesOf(sampleFrame(LOCALIZED_FRAME), 0)).toEqual(BOTH);
  // The bits are: lower and upper limit of label 0, lower and upper limit of label 1.
  const frame = sampleFrame({ ...LOCALIZED_FRAME, local: { vacuous_share: [0.2, 1], missing: 0b1110 } });
  expect(sidesOf(frame, 0)).toEqual([true, false]);
  expect(sidesOf(frame, 1)).toEqual([false, false]);
  expect(hasLimits(frame, 1)).toBe(false);
  expect(sidesOf({ ...frame, local: null }, 1)).toEqual(BOTH);
});

test("a range that grows with both rates needs a limit of both", () => {
  // The lower end of the joint range uses the lower limit of label 1 and the upper limit of label 0.
  expect(jointSides(frameWith(-INFINITE, 1, -1, 1))).toEqual([true, false]);
  expect(jointSides(frameWith(-1, INFINITE, -1, 1))).toEqual([false, true]);
  expect(jointSides(frameWith(-1, 1, -1, 1))).toEqual([true, true]);
});

test("one limit alone at the end of what is possible tells nothing", () => {
  expect(informativeSides([true, false], [0, 1])).toEqual([false, false]);
  expect(informativeSides([true, false], [0.1, 1])).toEqual([true, false]);
  expect(informativeSides([false, true], [0, 1])).toEqual([false, false]);
  expect(informativeSides([false, true], [-1, 0.9], [-1, 1])).toEqual([false, true]);
  expect(informativeSides([true, true], [0, 1])).toEqual([true, true]);
  expect(limitsText(0, 1, [true, false])).toBe("no limits");
  expect(limitsText(0, 0.7, [false, true])).toBe("at most 0.70");
  expect(limitsText(-0.3, 1, [true, false], [-1, 1])).toBe("at least −0.30");
});

test.each(["paper", "split"] as const)(
  "by the rule %s the points that are lacking bring the limit",
  (rule) => {
    const none = { ...frameWith(-INFINITE, INFINITE, -1, 1), alpha: 0.05 };
    const one = { ...frameWith(-INFINITE, 1, -1, 1), alpha: 0.05 };
    const [first, both] = rule === "paper" ? [19, 79] : [39, 39];
    const lacking = (n: number, frame: typeof none) =>
      pointsLacking({ nCalibration: [n, 500], rule }, frame, 0);
    expect(lacking(first - 1, none)).toEqual({ needed: first, here: first - 1 });
    expect(lacking(first, none)).toBeNull();
    expect(lacking(both - 1, one)).toEqual({ needed: both, here: both - 1 });
    expect(lacking(both, one)).toBeNull();
  },
);

test("where points have intervals of their own, no number of points is known to be lacking", () => {
  const frame = sampleFrame(LOCALIZED_FRAME);
  expect(pointsLacking(sampleEvaluation({ n_calibration: [3, 3] }), frame, 0)).toBeNull();
});
