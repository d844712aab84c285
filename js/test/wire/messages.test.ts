import { describe, expect, test } from "vitest";
import { ALPHA_STOPS, alphaSteps } from "../../src/base/steps.ts";
import { decodeGroup } from "../../src/wire/decode_evaluation.ts";
import { decodeFrames } from "../../src/wire/decode_frame.ts";
import { decodeFailure, decodeObserver, encodeRequest } from "../../src/wire/messages.ts";
import type { Result } from "../../src/wire/readers.ts";
import {
  counts,
  decoded,
  float64s,
  LOCALIZED_FRAME,
  rawEntry,
  rawEvaluation,
  rawFrame,
  rawFrameEntry,
  rawFrames,
  rawFrozen,
  rawGroup,
  sampleEvaluation,
  sampleGroup,
  THRESHOLDS,
} from "../sample.ts";

const group = sampleGroup();
const none = new DataView(new ArrayBuffer(0));

function expectProblem(result: Result<unknown>, problem: string) {
  expect(result.ok).toBe(false);
  if (!result.ok) expect(result.problem).toContain(problem);
}

describe("an evaluation", () => {
  test("is read from views that start at odd addresses, infinity included", () => {
    const evaluation = sampleEvaluation();
    expect(evaluation).toMatchObject({
      nTest: [5, 4],
      nCalibration: [99, 199],
      auc: 0.85,
      support: { share: 0.1, about: false },
    });
    expect([...evaluation.thresholds]).toEqual(THRESHOLDS);
    expect([...evaluation.truePositives]).toEqual([0, 2, 2, 3, 4, 4]);
    expect([...evaluation.tpr]).toEqual([0, 0.5, 0.5, 0.75, 1, 1]);
  });

  test("knows the logits of its vertices from the centres: the smallest that reaches each", () => {
    const [, ...logits] = sampleEvaluation().logits;
    expect(logits).toEqual([0.9, 0.7, 0.5, 0.3, 0.1].map((p) => expect.closeTo(Math.log(p / (1 - p)), 12)));
    expect(sampleEvaluation({ logits: float64s([9, 8, 7, 6, 5, 4]) }).logits[0]).toBe(9);
  });

  test("has scores that follow from its centres, where these came alone", () => {
    const { scores } = sampleEvaluation({ scores: null });
    const { scores: sent } = sampleEvaluation();
    scores.forEach(({ n, values }, label) => {
      expect(n).toBe(sent[label].n);
      values.forEach((score, i) => {
        expect(score).toBeCloseTo(sent[label].values[i], 6);
      });
    });
    expectProblem(decodeGroup(rawEvaluation({ scores: null, centres: null })), "“scores” is not a pair");
  });

  test("has no logit at its ends: an interval is never above 1, and always above 0", () => {
    const ends = {
      thresholds: float64s([1 / 0, 1, 0.5, 0]),
      fp: counts([0, 0, 2, 5]),
      tp: counts([0, 2, 3, 4]),
    };
    const { logits } = sampleEvaluation(ends);
    expect([logits[0], logits[1], logits[3]]).toEqual([1 / 0, 1 / 0, -1 / 0]);
  });

  test.each([
    ["nothing at all", undefined, "missing"],
    ["another version", rawEvaluation({ version: 1 }), "version 1"],
    ["no entries", rawEvaluation({ entries: [] }), "“entries” are 0 evaluations"],
    [
      "several entries that should be one",
      rawEvaluation({ entries: [rawEntry(), rawEntry()] }),
      "2 evaluations",
    ],
    ["an unknown kind", rawEvaluation({ kind: "many" }), "“kind” is none of"],
    ["truncated thresholds", rawEvaluation({ thresholds: new DataView(new ArrayBuffer(13)) }), "13 bytes"],
    ["thresholds that rise", rawEvaluation({ thresholds: float64s([1 / 0, 0.5, 0.6]) }), "do not fall"],
    ["a NaN among thresholds", rawEvaluation({ thresholds: float64s([1 / 0, Number.NaN]) }), "not a number"],
    ["counts that are fewer than the thresholds", rawEvaluation({ fp: counts([0, 5]) }), "“fp” has too few"],
    [
      "counts that end within the last one",
      rawEvaluation({ fp: new DataView(Uint8Array.from([0, 1, 1, 1, 1, 0x81]).buffer) }),
      "“fp” has too few",
    ],
    [
      "a count that is too large for a number",
      rawEvaluation({ fp: new DataView(new Uint8Array(400).fill(0x80, 5, 399).buffer) }),
      "“fp” counts more",
    ],
    [
      "more counts than thresholds",
      rawEvaluation({ fp: counts([0, 1, 1, 1, 1, 1, 1]) }),
      "“fp” has more bytes",
    ],
    ["more counted than there are", rawEvaluation({ tp: counts([0, 2, 2, 3, 4, 5]) }), "“tp” counts more"],
    ["a list in place of bytes", rawEvaluation({ tp: [0, 4] }), "“tp” holds no bytes"],
    ["a curve without vertices", rawEvaluation({ thresholds: none }), "fewer than two vertices"],
    ["an AUC that came as text", rawEvaluation({ auc: "0.85" }), "“auc” is not a number"],
    ["notes that are texts", rawEvaluation({ notes: ["x"] }), "“notes” is missing"],
    [
      "a note without a remedy",
      rawEvaluation({ notes: [{ fact: "a", reason: "b" }] }),
      "“remedy” is not a text",
    ],
    ["three classes", rawEvaluation({ classes: ["a", "b", "c"] }), "“classes” is not a pair"],
    ["no test points", rawEvaluation({ n_test: [0, 4] }), "“n_test” is 0"],
    ["half a test point", rawEvaluation({ n_test: [5, 4.5] }), "“n_test” is not a count"],
    ["centres that fall", rawEvaluation({ centres: [few([1, 0, 0, 0, 0]), few([0, 0, 0, 0])] }), "ascending"],
    ["centres of others", rawEvaluation({ centres: [few([1, 2]), few([0])] }), "those of the test points"],
    ["no residuals", rawEvaluation({ residuals: [few([], 9), few([1])] }), "“residuals” are missing"],
    [
      "thinned arrays that are said to be whole",
      rawEvaluation({ residuals: [few([1], 9), few([1])] }),
      "thinned",
    ],
    ["a label that is a tree", rawEvaluation({ label: [[[[[1]]]]] }), "“label” is no label"],
    ["an unknown rule", rawEvaluation({ rule: "mine" }), "“rule” is none of paper, split"],
    [
      "a frozen alpha of 2",
      rawEvaluation({ frozen: [{ ...rawFrozen(0.1)[0], alpha: 2 }] }),
      "between 0 and 1",
    ],
  ])("with %s is refused with a sentence", (_, raw, problem) => {
    expectProblem(decodeGroup(raw), problem);
  });
});

function few(values: number[], n = values.length) {
  return { n, values: float64s(values), stops: null };
}

test("counts of any size are read", () => {
  const wide = { n_test: [3_000_000_000, 4], fp: counts([0, 127, 128, 16_384, 70_000, 3_000_000_000]) };
  const { falsePositives } = sampleEvaluation({ ...wide, centres: null, whole: false });
  expect([...falsePositives]).toEqual([0, 127, 128, 16_384, 70_000, 3_000_000_000]);
});

test("rows with weights are counted in units, of which there are more than 32 bits hold", () => {
  const most = 2 ** 51;
  const weighed = { n_test: [most, 4], rows: [500, 4], unit: 2 ** -41, fp: counts([0, 1, 2, 3, 4, most]) };
  const evaluation = sampleEvaluation({ ...weighed, centres: null, whole: false });
  expect([...evaluation.falsePositives]).toEqual([0, 1, 2, 3, 4, most]);
  expect(evaluation.fpr[5]).toBe(1);
  expect(evaluation.nRows).toEqual([500, 4]);
  expect(evaluation.unit * evaluation.nTest[0]).toBe(1024);
});

test("weighted points that stand at the vertices are made from these", () => {
  const atVertices = [5, 4].map((n) => ({ n, values: null, ranks: 8 }));
  const { centres, logits, falsePositives } = sampleEvaluation({ centres: atVertices });
  const [zeros] = centres ?? [];
  expect(zeros?.counted?.values).toEqual(logits.slice(1).reverse());
  const before = [...falsePositives.slice(1)].reverse().map((above) => 5 - above);
  expect([...(zeros?.counted?.before ?? [])]).toEqual([...before, 5]);
  expect(zeros?.values.length).toBe(8);
  const many = atVertices.map((each) => ({ ...each, ranks: 100_000 }));
  expectProblem(decodeGroup(rawEvaluation({ centres: many })), "at too many ranks");
  const others = [...atVertices.slice(0, 1), { n: 9, values: null, ranks: 8 }];
  expectProblem(decodeGroup(rawEvaluation({ centres: others })), "not those of the test points");
});

test("the stops are the decimals that the slider can reach", () => {
  expect(ALPHA_STOPS.slice(98, 102)).toEqual([0.099, 0.1, 0.105, 0.11]);
  expect(ALPHA_STOPS[179]).toBe(0.5);
  expect(ALPHA_STOPS.map(alphaSteps.grid)).toEqual(ALPHA_STOPS);
});

describe("a frame", () => {
  test("is read with infinite quantiles and the four limits apart, as rates", () => {
    const { orderStatistics, limits } = decoded(
      decodeFrames(rawFrame({ quantiles: float64s([-1.46, 1.21, -1 / 0, 2.43]) }), group),
    ).frames[0];
    expect(orderStatistics).toEqual([
      [
        { rank: 3, residual: -1.46 },
        { rank: 163, residual: 1.21 },
      ],
      [
        { rank: 4, residual: Number.NEGATIVE_INFINITY },
        { rank: 325, residual: 2.43 },
      ],
    ]);
    expect([...limits.fprLower]).toEqual([0, 0, 0, 0.2, 0.4, 0.6]);
    expect([...limits.tprUpper]).toEqual([0, 0.75, 1, 1, 1, 1]);
  });

  test("without pooled quantiles is of a band whose points have their own", () => {
    const { frames } = decoded(decodeFrames(rawFrame(LOCALIZED_FRAME), group));
    expect(frames[0]).toMatchObject({ orderStatistics: null, local: { vacuousShare: [0.2, 0] } });
  });

  test("without ranks is of calibration rows that do not count alike", () => {
    const { frames } = decoded(decodeFrames(rawFrame({ ranks: null }), group));
    expect(frames[0].orderStatistics?.flat().map(({ rank }) => rank)).toEqual([null, null, null, null]);
  });

  const { point, limits } = rawFrameEntry();
  test.each([
    [
      "limits of another curve",
      rawFrame({ limits: limits.map(() => counts([0, 1])) }),
      "“limits” has too few",
    ],
    ["three limits", rawFrame({ limits: limits.slice(1) }), "“limits” are not four"],
    ["a NaN rate", rawFrame({ point: { ...point, tpr: Number.NaN } }), "“point.tpr”"],
    ["no point", rawFrame({ point: null }), "“point” is missing"],
    ["an alpha of 1", rawFrame({ alpha: 1 }), "“alpha” is not between 0 and 1"],
    ["frames of another group", rawFrames(3), "of 3 evaluations, not of 1"],
  ])("with %s is refused with a sentence", (_, raw, problem) => {
    expectProblem(decodeFrames(raw, group), problem);
  });
});

test("a group has its entries in their order, with labels as they were", () => {
  const entries = [7, "seven", [7, true], null].map((label) => ({ ...rawEntry(), label }));
  const { kind, entries: read } = decoded(decodeGroup(rawEvaluation({ kind: "classifiers", entries })));
  expect(kind).toBe("classifiers");
  expect(read.map(({ key }) => key)).toEqual([7, "seven", [7, true], null]);
  expect(decoded(decodeGroup(rawGroup("a", "b"))).entries.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("a failure is told from other messages", () => {
  const failure = { type: "error", client: "me", seq: 3, message: "no" };
  expect(decodeFailure(failure)).toEqual({ client: "me", seq: 3, message: "no" });
  expect(decodeFailure({ ...failure, type: "news" })).toBeNull();
  expect(decodeFailure({ ...failure, seq: "3" })).toBeNull();
  expect(decodeFailure(null)).toBeNull();
});

test("a request names its page, its number and the answer since which it tells of", () => {
  expect(encodeRequest("me", 4, 2, { alpha: 0.1 })).toEqual({
    type: "state",
    client: "me",
    seq: 4,
    since: 2,
    alpha: 0.1,
  });
});

test("what code of the user's has failed with is told from other messages", () => {
  expect(decodeObserver({ type: "observer", message: "ZeroDivisionError" })).toBe("ZeroDivisionError");
  for (const other of [null, {}, { type: "observer" }, { type: "error", message: "x" }])
    expect(decodeObserver(other)).toBeNull();
});
