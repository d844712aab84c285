import { expect, test } from "vitest";
import { logit } from "../../src/base/logit.ts";
import { TIE } from "../../src/base/ties.ts";

test("a tie is above rounding and below the eighth decimal of a score", () => {
  for (const score of [0.5, 0.999, 1 - 1e-6]) {
    const spacing = 2 ** -53;
    expect(logit(score + spacing) - logit(score)).toBeLessThan(TIE);
  }
  for (const score of [0.1, 0.5, 0.9]) expect(logit(score + 1e-8) - logit(score)).toBeGreaterThan(TIE);
  expect(logit(0.1 + 0.2)).not.toBe(logit(0.3));
  expect(Math.abs(logit(0.1 + 0.2) - logit(0.3))).toBeLessThan(TIE);
});
