import { expect, test } from "vitest";
import { ticksTo } from "../../src/draw/axes.ts";

test("ticks stand at round numbers up to the end of the axis, as in Python", () => {
  expect(ticksTo(1, 6)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticksTo(1, 2)).toEqual([0, 0.5, 1]);
  expect(ticksTo(0.12, 6)).toEqual([0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12]);
  expect(ticksTo(0.5, 6)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  expect(ticksTo(0.3731, 6)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(ticksTo(0.005, 6)).toEqual([0, 0.001, 0.002, 0.003, 0.004, 0.005]);
});
