import { expect, test } from "vitest";
import { fraction, unitCurve } from "../../src/plot/unit_curve.ts";

const line = { x: Float64Array.of(0, 0.5, 1), y: Float64Array.of(0.2, 0, -1) };

test("lines are fractions of the axes, and end one length beyond them", () => {
  const curve = { line, edges: { upper: line, lower: line }, track: line, baseline: line, counts: line };
  const unit = unitCurve(curve, { across: [0, 1], up: [-0.1, 0.3] });
  expect([...unit.line.x]).toEqual([0, 0.5, 1]);
  for (const of of [unit.line, unit.edges.upper, unit.edges.lower, unit.track, unit.baseline, unit.counts]) {
    expect([...of.y]).toEqual([expect.closeTo(0.75, 14), expect.closeTo(0.25, 14), -1]);
  }
});

test("a place is a fraction of its axis, at most its end", () => {
  expect([-1, -0.1, 0.1, 0.3, 2].map((value) => fraction(value, [-0.1, 0.3]))).toEqual([
    ...[0, 0, expect.closeTo(0.5, 14), 1, 1],
  ]);
});
