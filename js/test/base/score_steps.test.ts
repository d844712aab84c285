import { expect, test } from "vitest";
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
