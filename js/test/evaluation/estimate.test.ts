import { expect, test } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import { type Estimate, limitsOf, limitsOfMean, lossesOf, lossNote } from "../../src/evaluation/estimate.ts";
import { rowsAt } from "../../src/evaluation/settled.ts";

test("figures have the limits that Python gives them, on every scale, at every confidence", () => {
  for (const { estimate, limits } of numbers.estimates) {
    const given = { ...estimate, value: Number(estimate.value) } as Estimate;
    for (const [alpha, ...ends] of limits.map((row) => row.map(Number))) {
      limitsOf(given, alpha).forEach((limit, i) => {
        if (Number.isFinite(ends[i])) expect(limit).toBeCloseTo(ends[i], 9);
        else expect(limit).toBe(ends[i]);
      });
    }
  }
});

test("mean rates have as many rows at a threshold as Python says", () => {
  for (const [threshold, ...both] of numbers.means.at as [number, number[], number[]][]) {
    both.forEach((ends, label) => {
      const found = limitsOfMean(0.7, rowsAt(numbers.means.rates[label], threshold), 0.1);
      found.forEach((limit, i) => {
        expect(limit).toBeCloseTo(ends[i], 9);
      });
    });
  }
});

test("losses have the sentences that Python gives them", () => {
  for (const { name, notes, heavy, numbers: given } of numbers.losses) {
    const [value, variance] = given.map(Number);
    const loss = { value, variance, isHeavy: heavy };
    const found = lossesOf(loss, loss).find((each) => each.name === name);
    expect(found && lossNote(found)).toBe(notes.join(" "));
  }
});
