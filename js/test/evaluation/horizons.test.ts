import { expect, test } from "vitest";
import { horizonText, isOneAtATime, numberText } from "../../src/evaluation/horizons.ts";
import type { Followed } from "../../src/evaluation/types.ts";

const followed: Followed = {
  horizon: 1825,
  unit: "days",
  unknown: 3,
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
