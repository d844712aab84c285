import { expect, test } from "vitest";
import {
  costTarget,
  sensitivityTarget,
  specificityTarget,
  youdenTarget,
} from "../../src/evaluation/threshold_rules.ts";

interface Point {
  score: number;
  label: 0 | 1;
}

/** A curve in the page's form: a vertex for each score, with counts of p >= threshold. */
function curveOf(points: Point[]) {
  const scores = [...new Set(points.map(({ score }) => score))].sort((a, b) => b - a);
  const thresholds = Float64Array.from([Number.POSITIVE_INFINITY, ...scores]);
  const countOf = (label: 0 | 1, threshold: number) =>
    points.filter((point) => point.label === label && point.score >= threshold).length;
  return {
    thresholds,
    truePositives: Float64Array.from(thresholds, (threshold) => countOf(1, threshold)),
    falsePositives: Float64Array.from(thresholds, (threshold) => countOf(0, threshold)),
    nTest: [countOf(0, 0), countOf(1, 0)] as const,
  };
}

/** Every threshold in [0, 1] at which a score or an interval end lies, in descending order, with its rates. */
function naive(points: Point[]) {
  const thresholds = [...new Set([1, ...points.map(({ score }) => score)])].sort((a, b) => b - a);
  const of = (label: 0 | 1) => points.filter((point) => point.label === label);
  return thresholds.map((threshold) => {
    const missed = of(1).filter(({ score }) => score < threshold).length;
    const alarms = of(0).filter(({ score }) => score >= threshold).length;
    return {
      threshold,
      missed,
      alarms,
      sensitivity: (of(1).length - missed) / of(1).length,
      specificity: (of(0).length - alarms) / of(0).length,
    };
  });
}

function random(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

const SAMPLES = Array.from({ length: 60 }, (_, k) => {
  const next = random(k + 1);
  const points: Point[] = Array.from({ length: 3 + (k % 25) }, () => {
    const label = next() < 0.5 ? 0 : 1;
    return { label, score: Math.min(1, Math.round(12 * (0.7 * next() + 0.3 * label)) / 11) };
  });
  return [...points, { label: 0, score: 0.2 } as const, { label: 1, score: 0.6 } as const];
});

function highest<T>(items: T[], gain: (item: T) => number): T {
  const most = Math.max(...items.map(gain));
  return items.find((item) => gain(item) >= most - 1e-12) as T;
}

test.each(SAMPLES.map((points, i) => [i, points] as const))(
  "sample %i: as a naive search finds them",
  (_, points) => {
    const curve = curveOf(points);
    const all = naive(points);
    expect(youdenTarget(curve).threshold).toBe(
      highest(all, ({ sensitivity, specificity }) => sensitivity + specificity).threshold,
    );
    for (const ratio of [0, 0.5, 1, 3, 100]) {
      const found = highest(all, ({ missed, alarms }) => -(ratio * missed + alarms));
      expect(costTarget(curve, ratio).threshold).toBe(found.threshold);
    }
    for (const wanted of [0, 0.3, 0.5, 0.9, 1]) {
      expect(sensitivityTarget(curve, wanted)?.threshold).toBe(
        all.find(({ sensitivity }) => sensitivity >= wanted)?.threshold,
      );
      expect(specificityTarget(curve, wanted)?.threshold).toBe(
        all.findLast(({ specificity }) => specificity >= wanted)?.threshold,
      );
    }
  },
);

test("of equal optima the highest threshold is taken", () => {
  const curve = curveOf([
    { score: 0.9, label: 1 },
    { score: 0.7, label: 0 },
    { score: 0.5, label: 1 },
    { score: 0.3, label: 0 },
  ]);
  expect(youdenTarget(curve).threshold).toBe(0.9);
  expect(costTarget(curve, 1).threshold).toBe(0.9);
});

test("a specificity that a score of 1 rules out has no threshold", () => {
  const curve = curveOf([
    { score: 1, label: 0 },
    { score: 1, label: 1 },
    { score: 0.5, label: 0 },
  ]);
  expect(specificityTarget(curve, 0.9)).toBeNull();
  expect(specificityTarget(curve, 0.5)?.threshold).toBe(1);
});
