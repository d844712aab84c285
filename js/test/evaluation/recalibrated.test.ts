import { describe, expect, test } from "vitest";
import { thresholdText } from "../../src/base/format.ts";
import { logit } from "../../src/base/logit.ts";
import { frameAt } from "../../src/evaluation/at_alpha.ts";
import { calibrationBand } from "../../src/evaluation/calibration_band.ts";
import { recalibrated, refutedOrder } from "../../src/evaluation/recalibrated.ts";
import type { ScoreGroups } from "../../src/evaluation/score_runs.ts";
import type { Evaluation } from "../../src/evaluation/types.ts";
import { SCORES, sampleEvaluation } from "../sample.ts";

/** Calibration points, one at each of n scores, whose labels follow the score or run against it. */
function groupsOf(n: number, falls = false): ScoreGroups {
  const first = Float64Array.from({ length: n }, (_, i) => (i + 0.5) / n);
  const positives = Uint32Array.from(first, (p, i) => Number((i * 0.618) % 1 < (falls ? 1 - p : p)));
  return { first, last: first, points: new Uint32Array(n).fill(1), positives };
}

const share = (values: boolean[]) => values.filter(Boolean).length / values.length;
const pairsOf = <T>(holds: (one: number, zero: number) => T) =>
  SCORES[1].flatMap((one) => SCORES[0].map((zero) => holds(one, zero)));

function evaluationOf(groups: ScoreGroups): Evaluation {
  const { first } = groups;
  // Test points whose number of groups up to their score, or below it, is less than i.
  const before = (scores: number[], isUpTo: (group: number, score: number) => boolean) =>
    Float64Array.from(
      { length: first.length + 2 },
      (_, i) => scores.filter((score) => first.filter((group) => isUpTo(group, score)).length < i).length,
    );
  const both = (scores: number[]): [Float64Array, Float64Array] => [
    before(scores, (group, score) => group <= score),
    before(scores, (group, score) => group < score),
  ];
  const [right, wrong] = [pairsOf((one, zero) => one > zero), pairsOf((one, zero) => one < zero)].map(share);
  return {
    ...sampleEvaluation({ simultaneous: true, n_calibration: [first.length / 2, first.length / 2] }),
    centres: null,
    auc: right + (1 - right - wrong) / 2,
    recalibration: { groups, before: [both(SCORES[0]), both(SCORES[1])], ranked: [right, wrong] },
  };
}

/** Interval of a score: the lower bound of the last group up to it, the upper one of the first from it on. */
function intervalOf(groups: ScoreGroups, alpha: number, score: number): [number, number] {
  const { lower, upper } = calibrationBand(groups, alpha);
  const upTo = groups.first.filter((group) => group <= score).length;
  const below = groups.first.filter((group) => group < score).length;
  return [
    upTo > 0 ? Math.min(lower[upTo - 1], upper[upTo - 1]) : 0,
    below < groups.first.length ? Math.max(lower[below], upper[below]) : 1,
  ];
}

describe.each([12, 120, 600])("%d calibration points", (n) => {
  const groups = groupsOf(n);
  const evaluation = evaluationOf(groups);

  test.each([0.05, 0.4])("at α = %d limits are counts of the points’ own intervals", (alpha) => {
    const ends = SCORES.map((scores) => scores.map((score) => intervalOf(groups, alpha, score)));
    for (const threshold of [0.2, 0.42, 0.5, 0.77]) {
      const point = frameAt(evaluation, alpha, threshold)?.point;
      const above = (label: 0 | 1, side: 0 | 1) => share(ends[label].map((pair) => pair[side] > threshold));
      expect(point).toMatchObject({
        fprLower: above(0, 0),
        fprUpper: above(0, 1),
        tprLower: above(1, 0),
        tprUpper: above(1, 1),
      });
    }
  });

  test.each([0.05, 0.4])("at α = %d the area leaves out pairs that may be ties", (alpha) => {
    const of = (score: number) => intervalOf(groups, alpha, score);
    const areas = pairsOf((one, zero) => {
      const ranked = (Number(one > zero) + Number(one >= zero)) / 2;
      const isSure = of(one)[0] > of(zero)[1] || of(zero)[0] > of(one)[1];
      return isSure ? [ranked, ranked] : [Math.min(ranked, 0.5), Math.max(ranked, 0.5)];
    });
    [0, 1].forEach((side) => {
      const mean = areas.reduce((sum, pair) => sum + pair[side], 0) / areas.length;
      expect(recalibrated(evaluation, alpha)?.auc[side]).toBeCloseTo(mean, 12);
    });
  });
});

test("a label of which some points have no bounds says how many", () => {
  const groups = groupsOf(2);
  const found = recalibrated(evaluationOf(groups), 0.05)?.findings;
  const empty = SCORES.map(
    (scores) =>
      scores.map((score) => intervalOf(groups, 0.05, score)).filter(([low, up]) => low === 0 && up === 1)
        .length,
  );
  expect(empty.every((n) => n > 0)).toBe(true);
  expect(found?.vacuous[1]).toBe(
    `${empty[1]} of the 4 test points of label 1 have scores that 2 calibration points cannot bound at α = 0.05: their ` +
      "intervals are everything from 0 to 1.",
  );
  expect(found?.local?.vacuousShare).toEqual([empty[0] / 5, empty[1] / 4]);
  const ends = SCORES.map((scores) => scores.map((score) => intervalOf(groups, 0.05, score)));
  expect(found?.local?.missing).toEqual(
    ends.map((pairs) => [pairs.every(([low]) => low === 0), pairs.every(([, up]) => up === 1)]),
  );
});

test("with many points every interval ends somewhere, together with the level", () => {
  const found = recalibrated(evaluationOf(groupsOf(600)), 0.4)?.findings;
  expect(found).toMatchObject({
    orderStatistics: null,
    guaranteed: [0.6, 0.6],
    vacuous: [null, null],
    notes: [],
  });
});

test("labels that run against the scores refute the order, at the first and the last such score", () => {
  const groups = groupsOf(600, true);
  const band = calibrationBand(groups, 0.05);
  const crossing = [...groups.first].filter((_, i) => band.lower[i] > band.upper[i]);
  const [note] = refutedOrder(band);
  const [from, to] = [crossing[0], crossing[crossing.length - 1]].map(thresholdText);
  expect(note).toContain(
    `At scores ${from} to ${to} the lower bound exceeds the upper one: at α = 0.05 the labels refute`,
  );
  expect(refutedOrder(calibrationBand(groupsOf(600), 0.05))).toEqual([]);
});

test("ends are logits in ascending order, so that a count is a look-up", () => {
  const groups = groupsOf(120);
  const found = recalibrated(evaluationOf(groups), 0.1);
  const { lower, upper } = calibrationBand(groups, 0.1);
  const wanted = [
    [Number.NEGATIVE_INFINITY, ...Array.from(lower, logit)],
    [...Array.from(upper, logit), Number.POSITIVE_INFINITY],
  ];
  expect([...(found?.lower[0].values ?? [])]).toEqual(wanted[0]);
  expect([...(found?.upper[1].values ?? [])]).toEqual(wanted[1]);
});

test("without the places of the test points only the kernel knows the limits", () => {
  const evaluation = evaluationOf(groupsOf(60));
  const { recalibration } = evaluation;
  if (!recalibration) throw new Error("no recalibration");
  const thinned = { ...evaluation, recalibration: { ...recalibration, before: null } };
  expect(recalibrated(thinned, 0.1)).toBeNull();
  expect(recalibrated(sampleEvaluation(), 0.1)).toBeNull();
});
