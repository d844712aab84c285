import { expect, test } from "vitest";
import { arcOf } from "../../src/evaluation/arc.ts";
import type { OperatingPoint } from "../../src/evaluation/types.ts";

const curve = { x: Float64Array.of(0, 0, 0.2, 0.2, 0.6, 1), y: Float64Array.of(0, 0.4, 0.4, 0.8, 1, 1) };
const point = (fprLower: number, tprLower: number, fprUpper: number, tprUpper: number) =>
  ({ fprLower, tprLower, fprUpper, tprUpper }) as OperatingPoint;

test.each([
  [
    "between two vertices",
    point(0, 0.4, 0.2, 0.8),
    [
      [0, 0.4],
      [0.2, 0.4],
      [0.2, 0.8],
    ],
  ],
  [
    "a single point",
    point(0.2, 0.8, 0.2, 0.8),
    [
      [0.2, 0.8],
      [0.2, 0.8],
    ],
  ],
  [
    "the whole curve",
    point(0, 0, 1, 1),
    [
      [0, 0],
      [0, 0.4],
      [0.2, 0.4],
      [0.2, 0.8],
      [0.6, 1],
      [1, 1],
    ],
  ],
  [
    "ends between vertices",
    point(0.1, 0.4, 0.4, 0.9),
    [
      [0.1, 0.4],
      [0.2, 0.4],
      [0.2, 0.8],
      [0.4, 0.9],
    ],
  ],
])("the arc is the curve from the lower counts to the upper ones: %s", (_, at, expected) => {
  const { x, y } = arcOf(curve, at);
  expect(Array.from(x, (fpr, i) => [fpr, y[i]])).toEqual(expected);
});
