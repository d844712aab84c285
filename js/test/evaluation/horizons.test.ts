import { expect, test } from "vitest";
import { horizonText, isOneAtATime, numberText, peopleAt } from "../../src/evaluation/horizons.ts";
import type { Evaluation, Followed } from "../../src/evaluation/types.ts";

const followed: Followed = {
  horizon: 1825,
  unit: "days",
  unknown: 3,
  people: { fp: Float64Array.of(0, 0, 2), tp: Float64Array.of(0, 1, 4) },
};

test("a horizon has commas, its digits and its unit", () => {
  expect(horizonText(followed)).toBe("1,825 days");
  expect(horizonText({ horizon: 0.25, unit: "" })).toBe("0.25");
  expect(numberText(1e-7)).toBe("0.0000001");
});

test("a unit has no s at one, and stays where it is a letter", () => {
  expect(horizonText({ horizon: 1, unit: "years" })).toBe("1 year");
  expect(horizonText({ horizon: 1.5, unit: "years" })).toBe("1.5 years");
  expect(horizonText({ horizon: 1, unit: "ms" })).toBe("1 ms");
});

test("one horizon is looked at as if there were no others", () => {
  expect(isOneAtATime({ kind: "horizons" })).toBe(true);
  expect(isOneAtATime({ kind: "classes" })).toBe(false);
});

test("cells count people, whatever they weigh", () => {
  const evaluation = {
    thresholds: Float64Array.of(Number.POSITIVE_INFINITY, 0.7, 0.2),
    nRows: [5, 4],
  } as unknown as Evaluation;
  expect(peopleAt(evaluation, followed, 0.5)).toEqual({ tp: 1, fn: 3, fp: 0, tn: 5 });
  expect(peopleAt(evaluation, followed, 0.2)).toEqual({ tp: 4, fn: 0, fp: 2, tn: 3 });
});
