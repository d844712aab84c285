import { expect, it } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import { areaLimits } from "../../src/evaluation/sampled_area.ts";

it("areas have the limits that Python gives them, at every confidence", () => {
  for (const { area, limits } of numbers.areas) {
    const [auc, variance, pairs] = area;
    for (const [alpha, lower, upper] of limits) {
      const found = areaLimits(auc, { variance, pairs }, alpha);
      expect(found[0]).toBeCloseTo(lower, 9);
      expect(found[1]).toBeCloseTo(upper, 9);
    }
  }
});
