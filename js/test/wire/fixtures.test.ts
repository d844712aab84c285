// Compares the numbers in Python's messages (tests/wire/test_fixtures.py) with those that the page reads and computes.

import { describe, expect, test } from "vitest";
import messages from "../../../tests/fixtures/messages.json";
import { ALPHA_STOPS } from "../../src/base/steps.ts";
import { frameAt, stopsOf } from "../../src/evaluation/at_alpha.ts";
import { averageBands } from "../../src/evaluation/average.ts";
import { boundsAt, isotonicAt, reliability } from "../../src/evaluation/calibration_band.ts";
import { type Gaps, gapsAt, settledGapsAt } from "../../src/evaluation/gaps.ts";
import { withConfidence } from "../../src/evaluation/guarantee.ts";
import { netBenefit, treatAll } from "../../src/evaluation/net_benefit.ts";
import { observedCurve } from "../../src/evaluation/observed_curve.ts";
import { precisionRecall } from "../../src/evaluation/precision_recall.ts";
import { binHeights } from "../../src/evaluation/score_counts.ts";
import type { Frame, Group, Limits, Weights } from "../../src/evaluation/types.ts";
import { hasOwnIntervals, leftOver, undecidedOf } from "../../src/evaluation/undecided.ts";
import { hasLimits } from "../../src/evaluation/vacuous.ts";
import { FIRST } from "../../src/wire/controls.ts";
import { decodeComparators } from "../../src/wire/decode_comparators.ts";
import { decodeGroup } from "../../src/wire/decode_evaluation.ts";
import { decodeFrames } from "../../src/wire/decode_frame.ts";
import type { Answer } from "../../src/wire/messages.ts";
import type { Result } from "../../src/wire/readers.ts";
import { sentenceOf } from "../../src/words/promise.ts";
import { arrived } from "../arrived.ts";
import { expectNear } from "../near.ts";

type Numbers = (number | string)[];

interface Expected {
  quantiles: [Numbers, Numbers] | null;
  point: Record<"tp" | "fp" | "tn" | "fn" | Rate, number>;
  curves?: Record<Rate, number[]>;
  views?: ViewNumbers[];
  score_counts?: number[];
  undecided?: [number, number];
  /** True and missed positives, false alarms, true negatives. */
  left?: [number, number, number, number];
  reliability?: Record<"at" | "lower" | "upper" | "isotonic", number[]>;
}
interface ViewNumbers {
  prevalence: number;
  average_precision: number;
  precision: number[];
  precision_lower: number[];
  precision_upper: number[];
  risk: number[];
  net_benefit: number[];
  net_benefit_lower: number[];
  net_benefit_upper: number[];
  treat_all: number[];
}
type Rate = "tpr" | "tpr_lower" | "tpr_upper" | "fpr" | "fpr_lower" | "fpr_upper";

interface Case {
  data: unknown;
  frame: { entries: object[] };
  expected: (Expected & Record<string, unknown>)[];
  many: { alpha: number; threshold: number; entries: object[] }[];
  gaps?: { alpha: number; threshold: number; rows: unknown[][]; settled: unknown[][] }[];
  together?: { alpha: number; words: Record<"target" | "scope" | "guarantee", string>; line: string }[];
  averages?: Record<"tpr" | "tpr_lower" | "tpr_upper", number[]> & { alpha: number; weights: Weights }[];
}

const { scales, comparators, "curves alone": alone } = messages;
const APART = ["scales", "texts", "comparators", "curves alone"];
const cases = Object.entries(messages as unknown as Record<string, Case>).filter(
  ([name]) => !APART.includes(name),
);

function read<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

const groupOf = (kept: { data: unknown }) => read(decodeGroup(arrived(kept.data)));
const answerOf = (raw: unknown, group: Group) => read(decodeFrames(arrived(raw), group));
const rates = ({ fprLower, fprUpper, tprLower, tprUpper }: Limits) =>
  [fprLower, fprUpper, tprLower, tprUpper].map((limit) => [...limit]);

function expectSame(made: Frame | null, kept: Frame, apart: "exactly" | "nearly", isWeighted = false) {
  if (made === null) throw new Error("the page could not compute the frame");
  const { limits, orderStatistics, ...others } = made;
  const residuals = (frame: Frame) => frame.orderStatistics?.flat().map(({ residual }) => residual) ?? null;
  expect(others.alpha).toBe(kept.alpha);
  expect(others.threshold).toBe(kept.threshold);
  expect(orderStatistics?.flat().map(({ rank }) => rank)).toEqual(
    kept.orderStatistics?.flat().map(({ rank }) => rank),
  );
  expect(residuals(made)).toEqual(residuals(kept));
  expect(others.guaranteed).toEqual(kept.guaranteed);
  expect(others.local).toEqual(kept.local);
  if (apart === "exactly") {
    expect(rates(limits)).toEqual(rates(kept.limits));
    // The number of pairs of weighted points exceeds the integers that a float holds exactly.
    others.auc.forEach((end, i) => {
      expect(Math.abs(end - kept.auc[i])).toBeLessThanOrEqual(isWeighted ? 2 ** -52 : 0);
    });
    expect(others.point).toEqual(kept.point);
    return;
  }
  const farthest = rates(limits).map((limit, i) =>
    Math.max(...limit.map((value, j) => Math.abs(value - rates(kept.limits)[i][j]))),
  );
  // The file has 128 ranks of some thousand points, so that it is small.
  expect(Math.max(...farthest)).toBeLessThan(0.5 / 128 + 1 / 4000);
  const { tp, fp, tpr, fpr } = others.point;
  expect({ tp, fp, tpr, fpr }).toEqual({
    tp: kept.point.tp,
    fp: kept.point.fp,
    tpr: kept.point.tpr,
    fpr: kept.point.fpr,
  });
}

function expectClose(made: Float64Array, wanted: number[], near = 1e-9) {
  expect(made.length).toBe(wanted.length);
  wanted.forEach((value, i) => {
    expect(Math.abs(made[i] - value)).toBeLessThanOrEqual(near);
  });
}

/** The frames that Python has written in short form, completed by the words that all frames share. */
function manyOf({ frame, many }: Case, group: Group): Answer[] {
  return many.map((short) => {
    const entries = short.entries.map((entry, i) => ({ ...frame.entries[i], ...entry }));
    return answerOf({ ...frame, ...short, entries }, group);
  });
}

test("scores come along where they do not follow from the centres", () => {
  const kept = cases.flatMap(
    ([, { data }]) => (data as { entries: Record<"centres" | "scores", unknown>[] }).entries,
  );
  expect(kept.some(({ scores }) => scores === null)).toBe(true);
  for (const { centres, scores } of kept) expect(centres ?? scores).not.toBeNull();
});

describe.each(cases)("%s:", (name, kept) => {
  const group = groupOf(kept);
  const apart = name === "thinned" ? "nearly" : "exactly";

  test("the page reads the kernel’s very numbers", () => {
    const { frames, threshold } = answerOf(kept.frame, group);
    frames.forEach((frame, i) => {
      const expected = kept.expected[i];
      const statistics = frame.orderStatistics?.map((pair) => pair.map(({ residual }) => residual)) ?? null;
      expect(statistics).toEqual(expected.quantiles?.map((pair) => pair.map(Number)) ?? null);
      for (const label of [0, 1] as const) {
        const [low, high] = expected.quantiles?.[label].map(Number) ?? [0, 0];
        expect(hasLimits(frame, label)).toBe(Number.isFinite(low) || Number.isFinite(high));
      }
      const { point } = expected;
      expect(frame.threshold).toBe(threshold);
      expect(frame.point).toMatchObject({
        tp: point.tp,
        fp: point.fp,
        tn: point.tn,
        fn: point.fn,
        tpr: point.tpr,
        tprLower: point.tpr_lower,
        tprUpper: point.tpr_upper,
        fpr: point.fpr,
        fprLower: point.fpr_lower,
        fprUpper: point.fpr_upper,
      });
    });
  });

  test("the band over the score is the kernel’s", () => {
    group.entries.forEach((evaluation, i) => {
      const { reliability: wanted } = kept.expected[i];
      if (!wanted) return;
      const band = reliability(evaluation, answerOf(kept.frame, group).frames[i]);
      // Bounds are sent as multiples of 1/32,768.
      const bounds = wanted.at.map((score) => boundsAt(band, score));
      expectClose(
        Float64Array.from(bounds, ([lower]) => lower),
        wanted.lower,
        2 ** -16,
      );
      expectClose(
        Float64Array.from(bounds, ([, upper]) => upper),
        wanted.upper,
        2 ** -16,
      );
      expectClose(
        Float64Array.from(wanted.at, (score) => isotonicAt(band, score)),
        wanted.isotonic,
      );
    });
  });

  test("the counts of scores along the axis are Python’s", () => {
    group.entries.forEach((evaluation, i) => {
      const wanted = kept.expected[i].score_counts;
      const corners = [...binHeights(evaluation)].flatMap((height) => [height, height]);
      if (wanted) expectClose(Float64Array.of(0, ...corners, 0), wanted);
    });
  });

  test("the undecided are Python’s, and those who are left without them", () => {
    const { frames } = answerOf(kept.frame, group);
    group.entries.forEach((evaluation, i) => {
      const { undecided, left } = kept.expected[i];
      if (!undecided) return;
      const { point, threshold } = frames[i];
      if (hasOwnIntervals(frames[i])) expect(undecidedOf(evaluation, point)).toEqual(undecided);
      const found = leftOver(evaluation, frames[i], threshold, point);
      if (found && left) expect([found.tp, found.fn, found.fp, found.tn]).toEqual(left);
      if (evaluation.centres !== null) expect(found).not.toBeNull();
    });
  });

  test("precision and net benefit are Python’s, wherever the classifier is used", () => {
    const { frames } = answerOf(kept.frame, group);
    group.entries.forEach((evaluation, i) => {
      for (const wanted of kept.expected[i].views ?? []) {
        const { prevalence } = wanted;
        const precision = precisionRecall(evaluation, frames[i].limits, prevalence);
        expectClose(precision.line.y, wanted.precision);
        expectClose(precision.lower, wanted.precision_lower);
        expectClose(precision.upper, wanted.precision_upper);
        expect(precision.averagePrecision).toBeCloseTo(wanted.average_precision, 12);
        const benefit = netBenefit(evaluation, frames[i].limits, prevalence);
        expectClose(benefit.line.x, wanted.risk);
        expectClose(benefit.line.y, wanted.net_benefit);
        expectClose(benefit.lower, wanted.net_benefit_lower);
        expectClose(benefit.upper, wanted.net_benefit_upper);
        expectClose(
          benefit.line.x.map((risk) => treatAll(risk / (1 - risk), prevalence)),
          wanted.treat_all,
        );
      }
    });
  });

  test("the page computes the kernel’s very frame, words included", () => {
    const { alpha, threshold, frames } = answerOf(kept.frame, group);
    group.entries.forEach((evaluation, i) => {
      const made = frameAt(evaluation, alpha, threshold);
      expectSame(made, frames[i], apart, evaluation.unit !== 1);
      const { target, scope, guarantee } = frames[i];
      expect(made).toMatchObject({ target, scope, guarantee });
    });
  });

  test("and at every other alpha and threshold that Python tried", () => {
    const answers = manyOf(kept, group);
    expect(answers.length).toBeGreaterThan(5);
    for (const { alpha, threshold, frames } of answers) {
      group.entries.forEach((evaluation, i) => {
        expectSame(frameAt(evaluation, alpha, threshold), frames[i], apart, evaluation.unit !== 1);
      });
    }
  });
});

const drawn = cases.filter(([, kept]) => kept.expected[0].fpr);

test.each(drawn)("%s: the curve and its limits are Python’s at every vertex", (_, kept) => {
  const group = groupOf(kept);
  const [evaluation] = group.entries;
  const [frame] = answerOf(kept.frame, group).frames;
  const expected = kept.expected[0] as Expected & Record<string, unknown>;
  const curve = observedCurve(evaluation);
  expect([...evaluation.thresholds]).toEqual((expected.thresholds as Numbers).map(Number));
  expect([...curve.x]).toEqual(expected.fpr);
  expect([...curve.y]).toEqual(expected.tpr);
  expect(rates(frame.limits)).toEqual(
    ["fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"].map((limit) => expected[limit]),
  );
});

test("the average of several classes is Python’s", () => {
  const averaged = cases.filter(([, { averages }]) => averages);
  expect(averaged).not.toHaveLength(0);
  for (const [, kept] of averaged) {
    const { entries } = groupOf(kept);
    for (const { alpha, weights, tpr, tpr_lower, tpr_upper } of kept.averages as unknown as {
      alpha: number;
      weights: Weights;
      tpr: number[];
      tpr_lower: number[];
      tpr_upper: number[];
    }[]) {
      const frames = entries.map((entry) => frameAt(entry, alpha, 0.5) as Frame);
      const made = averageBands(entries, frames, weights);
      const every20th = (values: Float64Array) => [...values.filter((_, i) => i % 20 === 0)];
      expect(every20th(made.tpr)).toEqual(tpr);
      expect(every20th(made.tprLower)).toEqual(tpr_lower);
      expect(every20th(made.tprUpper)).toEqual(tpr_upper);
    }
  }
});

test("the promise of all classes together is Python’s, at any alpha", () => {
  const kept = cases.filter(([, { together }]) => together);
  expect(kept).not.toHaveLength(0);
  for (const [, each] of kept) {
    const { together } = groupOf(each);
    if (!together) throw new Error("no promise");
    for (const { alpha, words, line } of each.together ?? []) {
      const made = withConfidence(together, alpha);
      expect(made).toMatchObject(words);
      expect(sentenceOf(made.line)).toBe(line);
    }
  }
});

test("the gaps of two populations are Python’s", () => {
  const populations = cases.filter(([, { gaps }]) => gaps);
  expect(populations).not.toHaveLength(0);
  for (const [, kept] of populations) {
    const group = groupOf(kept);
    const names = group.entries.map(({ name }) => name);
    for (const { alpha, threshold, rows, settled } of kept.gaps ?? []) {
      const frames = group.entries.map((entry) => frameAt(entry, alpha, threshold) as Frame);
      const rowsOf = (made: Gaps) =>
        (["tpr", "fpr"] as const).flatMap((rate) =>
          made[rate].map(({ pair: [a, b], difference, limits }) => [
            rate,
            names[a],
            names[b],
            difference,
            ...(limits ?? []),
          ]),
        );
      expect(rowsOf(gapsAt(group, frames, alpha, threshold))).toEqual(rows);
      const more = rowsOf(settledGapsAt(group, frames, alpha, threshold));
      expect(more.map((row) => row.length)).toEqual(more.map(() => (settled.length > 0 ? 6 : 4)));
      // The page finds the exact limits by bisection, Python by SciPy.
      for (const [k, row] of settled.entries()) {
        expect(more[k].slice(0, 4)).toEqual(row.slice(0, 4));
        expectNear(more[k].slice(4) as number[], row.slice(4) as number[], `${alpha}`);
      }
    }
  }
});

test("curves alone move between the stops and the vertices, and nowhere else", () => {
  const [evaluation] = groupOf(alone).entries;
  const [complete] = groupOf(messages["limits everywhere"]).entries;
  expect(stopsOf(evaluation)).toEqual(scales.frozen_stops);
  expect(frameAt(evaluation, 0.055, evaluation.thresholds[3])).toBeNull();
  expect(frameAt(evaluation, 0.05, (evaluation.thresholds[3] + evaluation.thresholds[4]) / 2)).toBeNull();
  for (const alpha of scales.frozen_stops) {
    for (const threshold of evaluation.thresholds.subarray(1)) {
      expect(frameAt(evaluation, alpha, threshold)?.point).toEqual(
        frameAt(complete, alpha, threshold)?.point,
      );
    }
  }
});

test("both sides have the same controls, which stand at the same values at first", () => {
  expect(FIRST).toEqual(scales.controls);
});

test("both sides mean the same stops of the slider", () => {
  expect(ALPHA_STOPS).toEqual(scales.alpha_stops);
  for (const [name, kept] of cases) {
    if (name === "localized") expect(stopsOf(groupOf(kept).entries[0])).toEqual(scales.frozen_stops);
  }
});

test("comparators are read as Python sends them", () => {
  const { entry, items, pairs } = read(decodeComparators(arrived(comparators)));
  expect(entry).toBe(comparators.label);
  expect(items.map(({ key, status }) => [key, status])).toEqual(
    comparators.items.map(({ key, status }) => [key, status]),
  );
  const [done, working] = items;
  expect(done.lines.map(({ alpha }) => alpha)).toEqual([0.2, 0.1]);
  expect(done.lines.every(({ lower, upper }) => lower.every((limit, i) => limit <= upper[i]))).toBe(true);
  expect(working).toMatchObject({ lines: [], done: 1297, total: 2000 });
  expect(pairs.map(({ p }) => p)).toEqual([0.4533, null]);
});
