import { expect, test } from "vitest";
import { expit, logit } from "../../src/base/logit.ts";

test("logits by hand", () => {
  expect(logit(0.5)).toBe(0);
  expect(logit(0.75)).toBeCloseTo(Math.log(3), 14);
  expect(logit(0.1)).toBeCloseTo(-Math.log(9), 14);
  expect(expit(0)).toBe(0.5);
  expect(expit(Math.log(3))).toBeCloseTo(0.75, 14);
});

test("a threshold outside 0 and 1 is above or below every interval", () => {
  for (const threshold of [1, 1.5, Number.POSITIVE_INFINITY])
    expect(logit(threshold)).toBe(Number.POSITIVE_INFINITY);
  for (const threshold of [0, -0.5, Number.NEGATIVE_INFINITY])
    expect(logit(threshold)).toBe(Number.NEGATIVE_INFINITY);
});

test("around one half no digit is lost", () => {
  // logit(1/2 + d) = 4 d + 16/3 d^3 + ...
  for (const d of [2 ** -30, 2 ** -40, 2 ** -52]) expect(logit(0.5 + d) / (4 * d)).toBeCloseTo(1, 14);
});

test("both formulas agree where one takes over from the other", () => {
  for (const edge of [0.3, 0.65]) {
    const [below, at] = [logit(edge - 2 ** -53), logit(edge)];
    expect(at).toBeGreaterThanOrEqual(below);
    expect(at - below).toBeLessThan(2e-15);
  }
});

test("a probability comes back from its logit, a small one with all its digits", () => {
  for (const p of [1e-300, 1e-12, 0.2, 0.5, 0.64, 0.66, 0.999])
    expect(expit(logit(p)) / p).toBeCloseTo(1, 12);
  expect(expit(-800)).toBe(0);
  expect(expit(800)).toBe(1);
});
