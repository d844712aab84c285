import { expect, test } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import {
  boundsAt,
  calibrationBand,
  isotonic,
  reliability,
  testGroups,
} from "../../src/evaluation/calibration_band.ts";
import { limitsOf, type ScoreGroups } from "../../src/evaluation/score_runs.ts";
import { counts, float64s, sampleEvaluation } from "../sample.ts";

/** Groups at the scores 0, 1, 2, ... */
function groupsOf(points: number[], positives: number[]): ScoreGroups {
  const first = Float64Array.from(points, (_, i) => i);
  return { first, last: first, points: Uint32Array.from(points), positives: Uint32Array.from(positives) };
}

const singles = (positives: number[]) =>
  groupsOf(
    positives.map(() => 1),
    positives,
  );

test.each(numbers.calibration_bands.map((kept) => [kept.positives.length, kept.alpha, kept] as const))(
  "the band of %d points at %d is Python’s",
  (_, alpha, kept) => {
    const groups = singles([...kept.positives].map(Number));
    const band = calibrationBand(groups, alpha);
    const line = isotonic(groups);
    expect(band.refuted).toBe(kept.refuted);
    kept.lower.forEach((lower, i) => {
      expect(Math.abs(band.lower[50 * i] - lower)).toBeLessThan(1e-9);
      expect(Math.abs(band.upper[50 * i] - kept.upper[i])).toBeLessThan(1e-9);
      expect(Math.abs(line[50 * i] - kept.isotonic[i])).toBeLessThan(1e-12);
    });
  },
);

test("at any score hold the lower bound of the groups below and the upper one of those above", () => {
  const groups = { ...groupsOf([40, 50, 60], [0, 25, 60]), last: Float64Array.of(0.5, 1, 2.5) };
  const band = calibrationBand(groups, 0.1);
  expect(boundsAt(band, -1)).toEqual([0, band.upper[0]]);
  expect(boundsAt(band, 0)).toEqual([0, band.upper[0]]);
  expect(boundsAt(band, 0.3)).toEqual([0, band.upper[1]]);
  expect(boundsAt(band, 0.5)).toEqual([band.lower[0], band.upper[1]]);
  expect(boundsAt(band, 1)).toEqual([band.lower[1], band.upper[1]]);
  expect(boundsAt(band, 2.6)).toEqual([band.lower[2], 1]);
});

test("an isotonic line pools neighbours that fall", () => {
  expect([...isotonic(singles([0, 1, 0, 1, 1]))]).toEqual([0, 0.5, 0.5, 1, 1]);
  expect([...isotonic(groupsOf([3, 1, 2], [3, 0, 1]))]).toEqual([4 / 6, 4 / 6, 4 / 6]);
});

test("labels that fall as the score rises are refuted, and the bounds cross", () => {
  const falling = singles(Array.from({ length: 400 }, (_, i) => (i < 200 ? 1 : 0)));
  expect(calibrationBand(falling, 0.05).refuted).toBe(true);
  expect(calibrationBand(singles([0, 1, 0, 1]), 0.05).refuted).toBe(false);
});

test("the scores of the test points are the vertices, but for a simplified curve", () => {
  const evaluation = sampleEvaluation();
  const groups = testGroups(evaluation);
  expect([...groups.first]).toEqual([0.1, 0.3, 0.5, 0.7, 0.9]);
  expect([...groups.points]).toEqual([2, 2, 2, 1, 2]);
  expect([...groups.positives]).toEqual([0, 1, 1, 0, 2]);
  expect(testGroups(evaluation)).toBe(groups);
  const sent = {
    first: float64s([0.1, 0.5]),
    last: float64s([0.3, 0.9]),
    points: counts([4, 9]),
    positives: counts([1, 4]),
  };
  const simplified = sampleEvaluation({ simplified: true, groups: sent });
  expect([...testGroups(simplified).points]).toEqual([4, 5]);
  expect([...testGroups(simplified).positives]).toEqual([1, 3]);
});

test("a threshold that moves does not compute the band anew", () => {
  const evaluation = sampleEvaluation();
  const band = reliability(evaluation, 0.1);
  expect(reliability(evaluation, 0.1)).toBe(band);
  expect(reliability(evaluation, 0.2)).not.toBe(band);
});

test("10,000 points ask for few different limits", () => {
  const n = 10_000;
  const groups = singles(Array.from({ length: n }, (_, i) => ((i * 0.381966) % 1 < i / n ? 1 : 0)));
  let logarithms = 0;
  const { log } = Math;
  Math.log = (x) => {
    logarithms++;
    return log(x);
  };
  try {
    limitsOf(groups, 0.05);
  } finally {
    Math.log = log;
  }
  expect(logarithms).toBeLessThan(60_000);
});
