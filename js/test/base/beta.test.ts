import { expect, test } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import { betaQuantile } from "../../src/base/beta.ts";

test("with one parameter of 1 it is a root", () => {
  expect(betaQuantile(0.02, 9, 1)).toBeCloseTo(0.02 ** (1 / 9), 14);
  expect(betaQuantile(0.02, 1, 2)).toBeCloseTo(1 - Math.sqrt(0.98), 14);
  expect(betaQuantile(1e-30, 1, 1)).toBeCloseTo(1e-30, 42);
});

test.each(numbers.beta as number[][])("level %d of Beta(%d, %d) is SciPy’s", (level, a, b, quantile) => {
  const apart = Math.abs(betaQuantile(level, a, b) - quantile);
  expect(apart).toBeLessThan(1e-9 * Math.max(quantile, 1e-3));
});

test("the probability to the left of a quantile is the level, by summing the binomial tail", () => {
  for (const [level, k, n] of [
    [0.1, 3, 7],
    [0.003, 12, 30],
    [0.4, 1, 60],
    [0.2, 59, 60],
  ]) {
    const p = betaQuantile(level, k, n - k + 1);
    let term = (1 - p) ** n;
    let below = 0;
    for (let i = 0; i < k; i++) {
      below += term;
      term *= ((n - i) / (i + 1)) * (p / (1 - p));
    }
    expect(1 - below).toBeCloseTo(level, 12);
  }
});
