// A small evaluation and its frames as the kernel would send them: 4 positives, 5 negatives, one tie between labels.

import type { Evaluation, Frame } from "../src/wire.ts";
import { decodeEvaluation, decodeFrame } from "../src/wire.ts";

type Put = "setFloat64" | "setUint16" | "setUint32";

/** Bytes as they arrive: a view that starts at an odd place of a larger buffer. */
function bytes(values: number[], itemSize: number, put: Put): DataView {
  const offset = 3;
  const view = new DataView(
    new ArrayBuffer(offset + values.length * itemSize + 2),
    offset,
    values.length * itemSize,
  );
  values.forEach((value, i) => {
    view[put](i * itemSize, value, true);
  });
  return view;
}

export const float64s = (values: number[]) => bytes(values, 8, "setFloat64");
export const uint16s = (values: number[]) => bytes(values, 2, "setUint16");
export const uint32s = (values: number[]) => bytes(values, 4, "setUint32");

export const THRESHOLDS = [Number.POSITIVE_INFINITY, 0.9, 0.7, 0.5, 0.3, 0.1];

export function rawEvaluation(changes: object = {}) {
  return {
    version: 1,
    classes: ["0", "1"],
    n_test: [5, 4],
    n_calibration: [99, 199],
    auc: 0.85,
    thresholds: float64s(THRESHOLDS),
    count_bytes: 2,
    fp: uint16s([0, 0, 1, 2, 3, 5]),
    tp: uint16s([0, 2, 2, 3, 4, 4]),
    simplified: false,
    vacuous_below: [0.01, 0.005],
    notes: [],
    ...changes,
  };
}

export function rawFrame(changes: object = {}) {
  return {
    version: 1,
    client: "",
    seq: 0,
    alpha: 0.05,
    threshold: 0.5,
    quantiles: float64s([-1.46, 1.21, Number.NEGATIVE_INFINITY, 2.43]),
    ranks: [
      [3, 163],
      [0, 325],
    ],
    guaranteed: [0.9523, 0.9521],
    vacuous: [null, null],
    auc: [0.41, 1],
    point: {
      tp: 3,
      fp: 2,
      tn: 3,
      fn: 1,
      tpr: 0.75,
      tpr_lower: 0.5,
      tpr_upper: 1,
      fpr: 0.4,
      fpr_lower: 0.2,
      fpr_upper: 0.8,
      youden: 0.35,
      precision: 0.6,
    },
    limits: uint16s(
      [
        [0, 0, 0, 1, 2, 3],
        [0, 1, 2, 4, 5, 5],
        [0, 1, 1, 2, 3, 4],
        [0, 3, 4, 4, 4, 4],
      ].flat(),
    ),
    target: "the curve of the true probabilities",
    scope: "pointwise",
    guarantee: "at least 95 % in large samples",
    ...changes,
  };
}

/** Frames in which label 0, or neither label, has limits. */
export const WITHOUT_LIMITS_0 = {
  quantiles: float64s([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, -1, 1]),
  vacuous: ["Label 0 has too few points. It has 12.", null],
};
export const WITHOUT_LIMITS = {
  quantiles: float64s([-1, 1, -1, 1].map((sign) => sign / 0)),
  vacuous: ["Label 0 has too few points.", "Label 1 has too few points."],
};

export function sampleEvaluation(changes: object = {}): Evaluation {
  const decoded = decodeEvaluation(rawEvaluation(changes));
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}

export function sampleFrame(changes: object = {}): Frame {
  const decoded = decodeFrame(rawFrame(changes), sampleEvaluation());
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}
