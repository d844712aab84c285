import { expect, it } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import { limitsOfMean, rowsAt } from "../../src/evaluation/sampled_means.ts";

it("means have the limits that Python gives them, of whole rows and of parts of one", () => {
  for (const { value, rows, alpha, ends } of numbers.means.limits) {
    const found = limitsOfMean(value, rows, alpha);
    expect(found[0]).toBeCloseTo(ends[0], 9);
    expect(found[1]).toBeCloseTo(ends[1], 9);
  }
});

it("mean rates have as many rows at a threshold as Python says", () => {
  for (const [threshold, ...both] of numbers.means.at as [number, number[], number[]][]) {
    both.forEach((ends, label) => {
      const rows = rowsAt(numbers.means.rates[label], threshold);
      const found = limitsOfMean(0.7, rows, 0.1);
      expect(found[0]).toBeCloseTo(ends[0], 9);
      expect(found[1]).toBeCloseTo(ends[1], 9);
    });
  }
});
