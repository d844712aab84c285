// Makes a small evaluation and its frames in the kernel's format: 4 positives, 5 negatives, one tie between labels.

import { logit } from "../src/base/logit.ts";
import type { Evaluation, Frame, Group, Note } from "../src/evaluation/types.ts";
import { decodeGroup } from "../src/wire/decode_evaluation.ts";
import { decodeFrames } from "../src/wire/decode_frame.ts";
import type { Result } from "../src/wire/readers.ts";
import { VERSION } from "../src/wire/readers.ts";

/** Bytes as they are received: a view that starts at an odd position of a larger buffer. */
function bytes(length: number, put: (view: DataView) => void): DataView {
  const offset = 3;
  const view = new DataView(new ArrayBuffer(offset + length + 2), offset, length);
  put(view);
  return view;
}

export function float64s(values: number[]): DataView {
  return bytes(8 * values.length, (view) => {
    values.forEach((value, i) => {
      view.setFloat64(8 * i, value, true);
    });
  });
}

export function float32s(values: number[]): DataView {
  return bytes(4 * values.length, (view) => {
    values.forEach((value, i) => {
      view.setFloat32(4 * i, value, true);
    });
  });
}

/** Counts encoded as LEB128: the first count, then the differences. */
export function counts(values: number[]): DataView {
  const encoded: number[] = [];
  values.forEach((value, i) => {
    let rest = value - (values[i - 1] ?? 0);
    while (rest >= 128) {
      encoded.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    encoded.push(rest);
  });
  return bytes(encoded.length, (view) => {
    encoded.forEach((byte, i) => {
      view.setUint8(i, byte);
    });
  });
}

export const THRESHOLDS = [Number.POSITIVE_INFINITY, 0.9, 0.7, 0.5, 0.3, 0.1];
export const SCORES = [
  [0.1, 0.1, 0.3, 0.5, 0.7],
  [0.3, 0.5, 0.9, 0.9],
];
const sorted = (values: number[]) => ({ n: values.length, values: float64s(values) });
const spread = (n: number, width: number) => Array.from({ length: n }, (_, i) => width * (i / (n - 1) - 0.5));

/** A field of an entry or, if entries have none, of the message around them. */
function around(changes: object, outer: object, entry: object): Record<string, unknown> {
  const split = (isOuter: boolean) =>
    Object.fromEntries(
      Object.entries(changes).filter(([name]) => (name in outer || name === "entries") === isOuter),
    );
  return { ...outer, entries: [{ ...entry, ...split(false) }], ...split(true) };
}

export function rawEvaluation(changes: object = {}) {
  return around(changes, { version: VERSION, kind: "single" }, rawEntry());
}

/** A promise in the kernel's format. */
export const WORDS = {
  kind: "individual",
  model: "ideal_model",
  target: "the curve of the true probabilities",
  scope: "pointwise",
  guarantee: "at least {confidence} in large samples",
  line: {
    level: "at least {confidence}",
    scope: "a threshold picked blindly",
    after: " in large samples",
    rest: "",
    chosen: "blindly",
    condition: "in large samples",
  },
};

export const SAMPLING_WORDS = {
  kind: "sampling",
  model: "classifier",
  target: "population ROC of this classifier",
  scope: "pointwise: one rate at a time",
  guarantee: "{confidence} in large samples",
  line: {
    level: "about {confidence}",
    scope: "one point of the curve",
    after: " in large samples",
    rest: "",
    chosen: "beforehand",
    condition: "in large samples",
  },
};

export const IDEAL_WORDS = {
  target: "t",
  scope: "s",
  guarantee: "{confidence} on average",
  line: {
    level: "{confidence} credible",
    scope: "one false positive rate",
    after: "",
    rest: ", if it is smooth",
    chosen: "any",
    condition: "if it is smooth",
  },
};

export function rawEntry() {
  return {
    label: null,
    name: "",
    classes: ["0", "1"],
    n_test: [5, 4],
    n_calibration: [99, 199],
    auc: 0.85,
    rule: "paper",
    words: { ...WORDS },
    simultaneous: false,
    remade: false,
    margins: false,
    vacuous_below: [0.01, 0.005],
    others: [] as object[],
    notes: [] as Note[],
    support: { share: 0.1, about: false },
    simplified: false,
    whole: true,
    thresholds: float64s(THRESHOLDS),
    logits: null as DataView | null,
    fp: counts([0, 0, 1, 2, 3, 5]),
    tp: counts([0, 2, 2, 3, 4, 4]),
    grid: null as object | null,
    reliability: rawReliability() as object | null,
    centres: SCORES.map((scores) => sorted(scores.map(logit))) as object[] | null,
    scores: SCORES.map((scores) => ({ n: scores.length, values: float32s(scores) })),
    residuals: [
      { ...sorted(spread(99, 4)), stops: null },
      { ...sorted(spread(199, 6)), stops: null },
    ],
    frozen: null as object[] | null,
    curves: null as object[] | null,
  };
}

/** Python's bounds for these nine points, rounded. There is one run, so only the last score has a lower bound. */
export function rawReliability(alphas = [0.001, 0.05, 0.1, 0.2, 0.5]) {
  const bounds: Record<number, [number, number]> = {
    0.001: [0.0468, 0.9117],
    0.05: [0.137, 0.788],
    0.1: [0.1688, 0.7486],
    0.2: [0.2104, 0.699],
    0.5: [0.291, 0.608],
  };
  return {
    first: float64s([0.1, 0.3, 0.9]),
    last: float64s([0.1, 0.3, 0.9]),
    isotonic: float64s([0, 0.4, 1]),
    alphas,
    lower: {
      at: counts(alphas.map((_, i) => 3 * i + 2)),
      values: float32s(alphas.map((alpha) => bounds[alpha][0])),
    },
    upper: {
      at: counts(alphas.map((_, i) => 3 * i)),
      values: float32s(alphas.map((alpha) => bounds[alpha][1])),
    },
  };
}

/**
 * A frame with numbers that the page would not compute, so that tests can tell the kernel's drawing from the page's.
 */
export function rawFrame(changes: object = {}) {
  return around(
    changes,
    { version: VERSION, client: "", seq: 0, alpha: 0.05, threshold: 0.5 },
    rawFrameEntry(),
  );
}

export function rawFrameEntry() {
  return {
    quantiles: float64s([-1.46, 1.21, -2.43, 2.43]) as DataView | null,
    ranks: [
      [3, 163],
      [4, 325],
    ] as number[][] | null,
    guaranteed: [0.9523, 0.9521],
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
    limits: [
      [0, 0, 0, 1, 2, 3],
      [0, 1, 2, 4, 5, 5],
      [0, 1, 1, 2, 3, 4],
      [0, 3, 4, 4, 4, 4],
    ].map(counts),
    kind: "individual",
    local: null as object | null,
  };
}

/** A frame in which label 0 has no limits, and one in which neither label has. */
export const WITHOUT_LIMITS_0 = {
  quantiles: float64s([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, -1, 1]),
};
export const WITHOUT_LIMITS = {
  quantiles: float64s([-1, 1, -1, 1].map((sign) => sign / 0)),
};

/** Limits of which each label has some lower and some upper ones. */
export const MISSING: readonly (readonly [boolean, boolean])[] = [
  [false, false],
  [false, false],
];

/** An evaluation in which each test point has its own residuals, and a frame of it. */
export const LOCALIZED = { centres: null, logits: float64s(THRESHOLDS.map(logit)) };
export const LOCALIZED_FRAME = {
  quantiles: null,
  ranks: null,
  local: { vacuous_share: [0.2, 0] },
};

/** The messages that are computed in advance for a localized evaluation, one for each alpha. */
export function rawFrozen(...alphas: number[]) {
  return alphas.map((alpha) => {
    const { auc, point, limits, ...frame } = { ...rawFrameEntry(), ...LOCALIZED_FRAME };
    const ends = (shift: number) => ({
      values: SCORES.map((scores) => float64s(scores.map((score) => logit(score) + shift))),
      before: null,
    });
    return { alpha, frame, auc, lower: ends(alpha - 1), upper: ends(1 - alpha) };
  });
}

/** Several entries named after their labels, as one-vs-rest classes are. Each has its own curve. */
export function rawGroup(...labels: string[]) {
  const thresholds = (i: number) => float64s([...THRESHOLDS.slice(0, -1), 0.1 - i / 1000]);
  const entries = labels.map((label, i) => ({
    ...rawEntry(),
    label,
    name: label,
    thresholds: thresholds(i),
  }));
  return rawEvaluation({ kind: "classes", entries });
}

export function rawFrames(n: number, changes: object = {}) {
  return rawFrame({ entries: Array.from({ length: n }, rawFrameEntry), ...changes });
}

/** Comparators in the kernel's format. */
export function rawComparators(changes: object = {}) {
  const outer = { version: VERSION, label: null, delong: [0.82, 0.89], delong_alpha: 0.05, pairs: null };
  return { ...outer, items: [rawComparator()], ...changes };
}

export function rawComparator(changes: object = {}) {
  const lines = (alpha: number, by: number, as: typeof float64s) => ({
    alpha,
    lower: as([0, 0.6 - by, 1 - by]),
    upper: as([0.4 + by, 0.8 + by, 1]),
  });
  return {
    key: "bootstrap",
    name: "Bootstrap",
    words: { ...SAMPLING_WORDS },
    notes: ["Few points. Mind them."],
    status: "done",
    done: 2000,
    total: 2000,
    message: null,
    fpr: float64s([0, 0.4, 1]),
    ...lines(0.05, 0.1, float64s),
    stops: [lines(0.05, 0.1, float32s), lines(0.2, 0, float32s)],
    ...changes,
  };
}

export function decoded<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

export function sampleGroup(changes: object = {}): Group {
  return decoded(decodeGroup(rawEvaluation(changes)));
}

export function sampleEvaluation(changes: object = {}): Evaluation {
  return sampleGroup(changes).entries[0];
}

export function sampleFrame(changes: object = {}): Frame {
  return decoded(decodeFrames(rawFrame(changes), sampleGroup())).frames[0];
}
