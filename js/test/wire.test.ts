import { describe, expect, test } from "vitest";
import { decodeEvaluation, decodeFailure, decodeFrame, encodeRequest } from "../src/wire.ts";
import {
  float64s,
  rawEvaluation,
  rawFrame,
  sampleEvaluation,
  THRESHOLDS,
  uint16s,
  uint32s,
} from "./sample.ts";

const evaluation = sampleEvaluation();
const longer = sampleEvaluation({
  thresholds: float64s([...THRESHOLDS, 0]),
  fp: uint16s([0, 0, 1, 2, 3, 5, 5]),
  tp: uint16s([0, 2, 2, 3, 4, 4, 4]),
});

describe("an evaluation", () => {
  test("is read from views that start at odd addresses, infinity included", () => {
    const decoded = decodeEvaluation(rawEvaluation());
    expect(decoded).toMatchObject({ ok: true, value: { nTest: [5, 4], nCalibration: [99, 199], auc: 0.85 } });
    if (!decoded.ok) return;
    expect([...decoded.value.thresholds]).toEqual(THRESHOLDS);
    expect([...decoded.value.truePositives]).toEqual([0, 2, 2, 3, 4, 4]);
  });

  test.each([
    ["nothing at all", undefined, "missing"],
    ["another version", rawEvaluation({ version: 2 }), "version 2"],
    ["truncated thresholds", rawEvaluation({ thresholds: new DataView(new ArrayBuffer(13)) }), "13 bytes"],
    ["counts that are fewer than the thresholds", rawEvaluation({ fp: uint16s([0, 5]) }), "“fp” has 4 bytes"],
    ["counts of another width", rawEvaluation({ fp: uint32s([0, 0, 1, 2, 3, 5]) }), "“fp” has 24 bytes"],
    ["counts of no known width", rawEvaluation({ count_bytes: 8 }), "“count_bytes”"],
    ["a list in place of bytes", rawEvaluation({ tp: [0, 4] }), "“tp” holds no bytes"],
    ["a curve without vertices", rawEvaluation({ thresholds: float64s([]) }), "fewer than two vertices"],
    ["an AUC that came as text", rawEvaluation({ auc: "0.85" }), "“auc” is not a number"],
    ["notes that are not texts", rawEvaluation({ notes: [7] }), "“notes” is not a text"],
    ["three classes", rawEvaluation({ classes: ["a", "b", "c"] }), "“classes” is not a pair"],
  ])("with %s is refused with a sentence", (_, raw, problem) => {
    const decoded = decodeEvaluation(raw);
    expect(decoded.ok).toBe(false);
    if (!decoded.ok) expect(decoded.problem).toContain(problem);
  });
});

test("counts of four bytes are read as well", () => {
  const wide = { count_bytes: 4, fp: uint32s([0, 0, 1, 2, 3, 70_000]), tp: uint32s([0, 2, 2, 3, 4, 4]) };
  expect([...sampleEvaluation(wide).falsePositives]).toEqual([0, 0, 1, 2, 3, 70_000]);
});

describe("a frame", () => {
  test("is read with infinite quantiles and the four limits apart", () => {
    const decoded = decodeFrame(rawFrame(), evaluation);
    if (!decoded.ok) throw new Error(decoded.problem);
    const { orderStatistics, limits } = decoded.value;
    expect(orderStatistics).toEqual([
      [
        { rank: 3, residual: -1.46 },
        { rank: 163, residual: 1.21 },
      ],
      [
        { rank: 0, residual: Number.NEGATIVE_INFINITY },
        { rank: 325, residual: 2.43 },
      ],
    ]);
    expect([...limits.fprLower]).toEqual([0, 0, 0, 1, 2, 3]);
    expect([...limits.tprUpper]).toEqual([0, 3, 4, 4, 4, 4]);
  });

  test.each([
    ["limits of another curve", rawFrame(), longer, "“limits” has 48 bytes"],
    ["a NaN rate", rawFrame({ point: { ...rawFrame().point, tpr: Number.NaN } }), evaluation, "“point.tpr”"],
    ["no point", rawFrame({ point: null }), evaluation, "“point” is missing"],
  ])("with %s is refused with a sentence", (_, raw, of, problem) => {
    const decoded = decodeFrame(raw, of);
    expect(decoded.ok).toBe(false);
    if (!decoded.ok) expect(decoded.problem).toContain(problem);
  });
});

test("a frame without pooled quantiles is a band whose points have their own", () => {
  const decoded = decodeFrame(rawFrame({ quantiles: null, ranks: null }), evaluation);
  expect(decoded).toMatchObject({ ok: true, value: { orderStatistics: null } });
});

test("a failure is told from other messages", () => {
  const failure = { type: "error", client: "me", seq: 3, message: "no" };
  expect(decodeFailure(failure)).toEqual({ client: "me", seq: 3, message: "no" });
  expect(decodeFailure({ ...failure, type: "news" })).toBeNull();
  expect(decodeFailure({ ...failure, seq: "3" })).toBeNull();
  expect(decodeFailure(null)).toBeNull();
});

test("a request names its page and its number", () => {
  expect(encodeRequest("me", 4, { alpha: 0.1, threshold: 0.2 })).toEqual({
    type: "state",
    client: "me",
    seq: 4,
    alpha: 0.1,
    threshold: 0.2,
  });
});
