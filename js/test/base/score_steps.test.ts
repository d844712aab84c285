import { expect, test } from "vitest";
import { multiple } from "../../src/base/multiple.ts";
import { scoreSteps } from "../../src/base/steps.ts";

test.each([
  [40, 110, 81.23456, [81.2, 82, 90]],
  [-1e-9, 2e-9, 3.14159e-10, [3.1e-10, 4e-10, 1e-9]],
  [-2e6, 3e6, 12345, [10000, 100000, 1000000]],
])("steps from %s to %s are round in their unit", (min, max, value, [grid, arrow, page]) => {
  const steps = scoreSteps(min, max);
  expect(steps.grid(value)).toBe(grid);
  expect(steps.arrow(value, 1)).toBe(arrow);
  expect(steps.page(value, 1)).toBe(page);
  expect(steps.arrow(steps.arrow(arrow, 1), -1)).toBe(arrow);
});

test("a slider of numbers that floats hardly tell apart stays between them", () => {
  expect([multiple(3, 0.1), multiple(-7, 0.001), multiple(2 ** 52, 1024)]).toEqual([0.3, -0.007, 2 ** 62]);
  const [min, max] = [2 ** 62, 2 ** 62 + 2 ** 20];
  const steps = scoreSteps(min, max);
  for (const share of [0.1, 0.5, 0.9]) {
    const at = min + share * (max - min);
    expect(Math.abs(steps.grid(at) - at)).toBeLessThan((max - min) / 20);
    expect(steps.arrow(at, 1)).toBeGreaterThan(at);
    expect(steps.page(at, -1)).toBeLessThan(at);
  }
});
