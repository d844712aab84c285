import { describe, expect, test } from "vitest";
import { exactAlpha, guaranteedCoverage, ranks, residualsNeeded } from "../../src/evaluation/quantiles.ts";

describe("alpha is the decimal that was written,", () => {
  test.each([
    [0.1, 1n, 10n],
    [0.05, 5n, 100n],
    [0.055, 55n, 1000n],
    [0.5, 5n, 10n],
    [1e-7, 1n, 10_000_000n],
    [1.25e-8, 125n, 10_000_000_000n],
  ])("%d", (alpha, numerator, denominator) => {
    expect(exactAlpha(alpha)).toEqual({ numerator, denominator });
  });
});

describe("ranks", () => {
  test.each([
    [19, 0.1, "paper", [0, 19]],
    [79, 0.05, "paper", [1, 78]],
    [19, 0.05, "paper", [0, 19]],
    [18, 0.05, "paper", [0, 19]],
    [39, 0.05, "split", [1, 39]],
    [38, 0.05, "split", [0, 39]],
    [0, 0.05, "paper", [0, 1]],
  ] as const)("of %i residuals at %d by the rule of the %s", (n, alpha, rule, expected) => {
    expect(ranks(n, alpha, rule)).toEqual(expected);
  });

  test("never promise less than was asked for", () => {
    for (const rule of ["paper", "split"] as const) {
      for (let n = 0; n < 300; n++) {
        for (const alpha of [0.001, 0.01, 0.05, 0.055, 0.1, 0.2, 0.3, 0.5]) {
          const { numerator, denominator } = exactAlpha(alpha);
          const [lower, upper] = ranks(n, alpha, rule);
          const promised = BigInt(upper - lower) * denominator;
          expect(promised >= (denominator - numerator) * BigInt(n + 1)).toBe(true);
        }
      }
    }
  });

  test("promise what is between them", () => {
    expect(guaranteedCoverage(79, [1, 78])).toBe(77 / 80);
    expect(guaranteedCoverage(10, [0, 11])).toBe(1);
  });
});

test("a first limit takes 19 points at 0.05, both take 79; the symmetric rule takes 39", () => {
  expect(residualsNeeded(0.05, "paper")).toEqual({ one: 19, both: 79 });
  expect(residualsNeeded(0.05, "split")).toEqual({ one: 39, both: 39 });
  expect(residualsNeeded(0.3, "paper")).toEqual({ one: 3, both: 13 });
});
