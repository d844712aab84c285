import { describe, expect, test } from "vitest";
import { operatingPointAt } from "../../src/evaluation/at_alpha.ts";
import {
  heightAt,
  type Line,
  nearestVertex,
  observedCurve,
  settableThreshold,
  vertexAt,
} from "../../src/evaluation/observed_curve.ts";
import { hasLimits } from "../../src/evaluation/vacuous.ts";
import { sampleEvaluation, sampleFrame, THRESHOLDS, WITHOUT_LIMITS_0 } from "../sample.ts";

const evaluation = sampleEvaluation();
const frame = sampleFrame();
const curve = observedCurve(evaluation);

const points = ({ x, y }: Line) => Array.from(x, (value, i) => [value, y[i]]);

test("the observed curve is counts over group sizes", () => {
  expect(points(curve)).toEqual([
    [0, 0],
    [0, 0.5],
    [0.2, 0.5],
    [0.4, 0.75],
    [0.6, 1],
    [1, 1],
  ]);
});

describe("the vertex at a threshold", () => {
  test.each([
    [1, 0],
    [0.95, 0],
    [0.9, 1],
    [0.89, 1],
    [0.5, 3],
    [0.1, 5],
    [0, 5],
  ])("%d is number %i: it counts p >= threshold", (threshold, vertex) => {
    expect(vertexAt(evaluation.thresholds, threshold)).toBe(vertex);
    expect(vertex).toBe(THRESHOLDS.filter((t) => t >= threshold).length - 1);
  });
});

test("a vertex at infinity sets the threshold 1", () => {
  expect(settableThreshold(evaluation.thresholds, 0)).toBe(1);
  expect(settableThreshold(evaluation.thresholds, 2)).toBe(0.7);
});

test("the nearest vertex is found from anywhere in the square", () => {
  expect(nearestVertex(curve, 0.42, 0.7)).toBe(3);
  expect(nearestVertex(curve, -3, -3)).toBe(0);
  expect(nearestVertex(curve, 2, 0)).toBe(5);
});

describe("the operating point", () => {
  test("is the kernel's own where it has answered", () => {
    expect(operatingPointAt(evaluation, frame, 0.5)).toBe(frame.point);
  });

  test("is read from the drawn vertices while the page runs ahead", () => {
    expect(operatingPointAt(evaluation, frame, 0.6)).toEqual({
      tp: 2,
      fp: 1,
      tn: 4,
      fn: 2,
      tpr: 0.5,
      tprLower: 0.25,
      tprUpper: 1,
      fpr: 0.2,
      fprLower: 0,
      fprUpper: 0.4,
      youden: 0.5 - 0.2,
      precision: 2 / 3,
    });
  });
});

test("the height of a line is read between its points, and at the top of its risers", () => {
  expect(heightAt(curve, 0.3)).toBeCloseTo(0.625, 12);
  expect(heightAt(curve, 0)).toBe(0.5);
  expect(heightAt(curve, -1)).toBe(0);
  expect(heightAt(curve, 2)).toBe(1);
});

test("a label has limits while one of its order statistics is finite, or where each point has its own", () => {
  expect([0, 1].map((label) => hasLimits(frame, label as 0 | 1))).toEqual([true, true]);
  expect([0, 1].map((label) => hasLimits(sampleFrame(WITHOUT_LIMITS_0), label as 0 | 1))).toEqual([
    false,
    true,
  ]);
  const local = (share: number) =>
    sampleFrame({
      quantiles: null,
      ranks: null,
      local: {
        vacuous_share: [share, 0],
        missing: share === 1 ? 3 : 0,
      },
    });
  expect(hasLimits(local(0.9), 0)).toBe(true);
  expect(hasLimits(local(1), 0)).toBe(false);
});
