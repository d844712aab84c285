import { expect, test } from "vitest";
import {
  exactVertex,
  nearestVertex,
  observedCurve,
  settableThreshold,
  vertexAt,
} from "../../src/evaluation/observed_curve.ts";
import { SCORES, sampleEvaluation, THRESHOLDS } from "../sample.ts";

const evaluation = sampleEvaluation();
const share = (label: 0 | 1, threshold: number) =>
  SCORES[label].filter((score) => score >= threshold).length / SCORES[label].length;

test("the vertices are the shares of both labels at or above each threshold", () => {
  const { x, y } = observedCurve(evaluation);
  expect([...x]).toEqual(THRESHOLDS.map((threshold) => share(0, threshold)));
  expect([...y]).toEqual(THRESHOLDS.map((threshold) => share(1, threshold)));
});

test("the vertex of any threshold has its counts", () => {
  const { x, y } = observedCurve(evaluation);
  for (const threshold of [0, 0.05, 0.1, 0.2, 0.3, 0.42, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 2]) {
    const vertex = vertexAt(evaluation.thresholds, threshold);
    expect(vertex).toBe(Math.max(THRESHOLDS.filter((each) => each >= threshold).length - 1, 0));
    expect([x[vertex], y[vertex]]).toEqual([share(0, threshold), share(1, threshold)]);
  }
});

test("a vertex is exact at its own threshold, and above all scores", () => {
  expect(exactVertex(evaluation, 0.5)).toBe(3);
  expect(exactVertex(evaluation, 0.49)).toBeNull();
  expect(exactVertex(evaluation, 1)).toBe(0);
  expect(exactVertex(evaluation, 0.95)).toBeNull();
});

test("the nearest vertex is the one that a search finds, the first of two as near", () => {
  const line = observedCurve(evaluation);
  for (const [x, y] of [
    [0, 0],
    [0.38, 0.7],
    [1, 0],
    [-1, -1],
    [0.2, 0.5],
  ]) {
    const distances = Array.from(line.x, (each, i) => Math.hypot(each - x, line.y[i] - y));
    expect(nearestVertex(line, x, y)).toBe(distances.indexOf(Math.min(...distances)));
  }
  expect(nearestVertex({ x: Float64Array.of(0, 1), y: Float64Array.of(0, 0) }, 0.5, 0)).toBe(0);
});

test("the vertex above all scores is set by a threshold of 1", () => {
  expect(settableThreshold(evaluation.thresholds, 0)).toBe(1);
  expect(settableThreshold(evaluation.thresholds, 3)).toBe(0.5);
  const marker = Float64Array.of(Number.POSITIVE_INFINITY, 140, 80, -20);
  expect([0, 1, 3].map((vertex) => settableThreshold(marker, vertex))).toEqual([140.16, 140, -20]);
});
