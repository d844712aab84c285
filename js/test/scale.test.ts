import { describe, expect, test } from "vitest";
import { alphaScale, alphaSteps, linear, nextMultiple, snap, thresholdSteps } from "../src/scale.ts";

test("scales go there and back", () => {
  expect(linear(0, 2, []).toFraction(0.5)).toBe(0.25);
  expect(alphaScale.toFraction(0.001)).toBe(0);
  expect(alphaScale.toFraction(0.5)).toBe(1);
  for (const alpha of [0.001, 0.02, 0.3]) {
    expect(alphaScale.fromFraction(alphaScale.toFraction(alpha))).toBeCloseTo(alpha, 12);
  }
});

test("equal ratios of alpha are equal lengths of its track", () => {
  const length = (from: number, to: number) => alphaScale.toFraction(to) - alphaScale.toFraction(from);
  expect(length(0.01, 0.1)).toBeCloseTo(length(0.001, 0.01), 12);
});

test("snapped values are the floats that their decimals stand for", () => {
  expect(snap(0.049999, 0.001)).toBe(0.05);
  expect(snap(0.30000000000000004, 0.01)).toBe(0.3);
  for (let k = 1; k <= 500; k++) expect(snap(k / 1000 + 1e-7, 0.001)).toBe(Number((k / 1000).toFixed(3)));
});

test("the next multiple is one step on, or the first on the way", () => {
  expect(nextMultiple(0.42, 0.01, 1)).toBe(0.43);
  expect(nextMultiple(0.4217, 0.01, 1)).toBe(0.43);
  expect(nextMultiple(0.4217, 0.01, -1)).toBe(0.42);
  expect(nextMultiple(0.42, 0.01, -1)).toBe(0.41);
});

describe("the keys of the alpha slider", () => {
  test("go through 0.05 from either side", () => {
    expect(alphaSteps.arrow(0.045, 1)).toBe(0.05);
    expect(alphaSteps.arrow(0.055, -1)).toBe(0.05);
  });

  test("take the same stops up and down", () => {
    const up = [0.001];
    while (up[up.length - 1] < 0.5) up.push(alphaSteps.arrow(up[up.length - 1], 1));
    const down = [0.5];
    while (down[down.length - 1] > 0.001) down.push(alphaSteps.arrow(down[down.length - 1], -1));
    expect(down.reverse()).toEqual(up);
  });

  test("page through 1, 2, 5", () => {
    expect(alphaSteps.page(0.05, 1)).toBe(0.1);
    expect(alphaSteps.page(0.05, -1)).toBe(0.02);
    expect(alphaSteps.page(0.5, 1)).toBe(0.5);
    expect(alphaSteps.page(0.001, -1)).toBe(0.001);
  });

  test("and its drags give clean decimals", () => {
    expect(alphaSteps.grid(0.0501234)).toBe(0.05);
    expect(alphaSteps.grid(0.20123)).toBe(0.2);
  });
});

test("the threshold moves by hundredths, pages by tenths", () => {
  expect(thresholdSteps.arrow(0.5, 1)).toBe(0.51);
  expect(thresholdSteps.page(0.42, 1)).toBe(0.5);
  expect(thresholdSteps.page(0.42, -1)).toBe(0.4);
  expect(thresholdSteps.grid(0.123456)).toBe(0.123);
});
