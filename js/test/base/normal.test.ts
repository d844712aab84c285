import { expect, test } from "vitest";
import { deviations, normalLimits } from "../../src/base/normal.ts";

test.each([
  [0.5, 0.6744897501960817],
  [0.1, 1.6448536269514722],
  [0.05, 1.959963984540054],
  [0.01, 2.5758293035489004],
  [0.001, 3.2905267314918945],
  [0.00001, 4.417173413469022],
])("a share %d outside leaves so many deviations", (alpha, z) => {
  expect(deviations(alpha)).toBeCloseTo(z, 10);
});

test("limits end where the possible ends, and have no width without a deviation", () => {
  expect(normalLimits(0.9, 0.1, 0.05, [0, 1])).toEqual([0.9 - deviations(0.05) * 0.1, 1]);
  expect(normalLimits(0.1, 0.1, 0.05, [0, 1])[0]).toBe(0);
  expect(normalLimits(1, 0, 0.05, [0, 1])).toEqual([1, 1]);
});
