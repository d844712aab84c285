// Wire format, version 1. Its twin on the other side is wire.py; no other file knows it.

export type Pair<T> = readonly [T, T];
export type BandKind = "sensitivity" | "specificity" | "both";

/** One evaluation of a classifier: what does not depend on alpha. Index 0 is label 0, index 1 is label 1. */
export interface Evaluation {
  classes: Pair<string>;
  nTest: Pair<number>;
  nCalibration: Pair<number>;
  /** Width of a count in this evaluation's messages. */
  countBytes: 2 | 4;
  auc: number;
  /** Thresholds of the drawn vertices, descending, the first is +Infinity. */
  thresholds: Float64Array;
  falsePositives: Uint32Array;
  truePositives: Uint32Array;
  /** At an alpha below this a label has no limits. */
  vacuousBelow: Pair<number>;
  notes: string[];
}

export interface Confusion {
  tp: number;
  fp: number;
  tn: number;
  fn: number;
}

/** Rates at one threshold, each with the limits of its interval. */
export interface OperatingPoint extends Confusion {
  tpr: number;
  tprLower: number;
  tprUpper: number;
  fpr: number;
  fprLower: number;
  fprUpper: number;
}

/** A residual, which may be infinite, and its rank among the calibration residuals of its label. */
export interface OrderStatistic {
  rank: number;
  residual: number;
}

/** Limits of both bands at the thresholds of the evaluation, as counts. */
export interface Limits {
  fprLower: Uint32Array;
  fprUpper: Uint32Array;
  tprLower: Uint32Array;
  tprUpper: Uint32Array;
}

/** One answer of the kernel. */
export interface Frame {
  client: string;
  seq: number;
  alpha: number;
  threshold: number;
  /** The order statistics of each label; null where every test point has its own. */
  orderStatistics: Pair<Pair<OrderStatistic>> | null;
  guaranteed: Pair<number>;
  vacuous: Pair<string | null>;
  auc: Pair<number>;
  point: OperatingPoint;
  limits: Limits;
  target: string;
  scope: string;
  guarantee: string;
}

export interface State {
  alpha: number;
  threshold: number;
}

/** What the page asks of the kernel, and whose answer it will recognise. */
export interface Request extends State {
  type: "state";
  client: string;
  seq: number;
}

export interface Failure {
  client: string;
  seq: number;
  message: string;
}

export type Result<T> = { ok: true; value: T } | { ok: false; problem: string };

const VERSION = 1;

export function decodeEvaluation(raw: unknown): Result<Evaluation> {
  return attempt(() => {
    const data = versioned(raw, "evaluation");
    const thresholds = float64s(data.thresholds, "thresholds");
    if (thresholds.length < 2) throw new Malformed("the curve has fewer than two vertices");
    const countBytes = countWidth(data.count_bytes);
    const counts = (name: "fp" | "tp") => countsOf(data[name], name, thresholds.length, countBytes);
    return {
      classes: pair(data.classes, text, "classes"),
      nTest: pair(data.n_test, number, "n_test"),
      nCalibration: pair(data.n_calibration, number, "n_calibration"),
      auc: number(data.auc, "auc"),
      thresholds,
      countBytes,
      falsePositives: counts("fp"),
      truePositives: counts("tp"),
      vacuousBelow: pair(data.vacuous_below, number, "vacuous_below"),
      notes: list(data.notes, "notes").map((note) => text(note, "notes")),
    };
  });
}

export function decodeFrame(raw: unknown, { thresholds, countBytes }: Evaluation): Result<Frame> {
  return attempt(() => {
    const frame = versioned(raw, "frame");
    const vertices = thresholds.length;
    const counts = countsOf(frame.limits, "limits", 4 * vertices, countBytes);
    const quarter = (k: number) => counts.subarray(k * vertices, (k + 1) * vertices);
    return {
      client: text(frame.client, "client"),
      seq: number(frame.seq, "seq"),
      alpha: number(frame.alpha, "alpha"),
      threshold: number(frame.threshold, "threshold"),
      orderStatistics: frame.quantiles === null ? null : orderStatistics(frame),
      guaranteed: pair(frame.guaranteed, number, "guaranteed"),
      vacuous: pair(frame.vacuous, textOrNull, "vacuous"),
      auc: pair(frame.auc, number, "auc"),
      point: operatingPoint(record(frame.point, "point")),
      limits: { fprLower: quarter(0), fprUpper: quarter(1), tprLower: quarter(2), tprUpper: quarter(3) },
      target: text(frame.target, "target"),
      scope: text(frame.scope, "scope"),
      guarantee: text(frame.guarantee, "guarantee"),
    };
  });
}

/** The failure in a custom message of the kernel; null for a message of another kind. */
export function decodeFailure(raw: unknown): Failure | null {
  if (!isRecord(raw) || raw.type !== "error") return null;
  const { client, seq, message } = raw;
  if (typeof client !== "string" || typeof seq !== "number" || typeof message !== "string") return null;
  return { client, seq, message };
}

export function encodeRequest(client: string, seq: number, state: State): Request {
  return { type: "state", client, seq, ...state };
}

class Malformed extends Error {}

function attempt<T>(decode: () => T): Result<T> {
  try {
    return { ok: true, value: decode() };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.message };
    throw error;
  }
}

function orderStatistics({ quantiles, ranks }: Record<string, unknown>): Pair<Pair<OrderStatistic>> {
  const residuals = float64s(quantiles, "quantiles", 4);
  const [first, second] = pair(ranks, (value, name) => pair(value, number, name), "ranks");
  const statistic = (rank: number, i: number) => ({ rank, residual: residuals[i] });
  return [
    [statistic(first[0], 0), statistic(first[1], 1)],
    [statistic(second[0], 2), statistic(second[1], 3)],
  ];
}

function countWidth(value: unknown): 2 | 4 {
  if (value !== 2 && value !== 4) throw new Malformed("“count_bytes” is neither 2 nor 4");
  return value;
}

function operatingPoint(raw: Record<string, unknown>): OperatingPoint {
  const field = (name: string) => number(raw[name], `point.${name}`);
  return {
    tp: field("tp"),
    fp: field("fp"),
    tn: field("tn"),
    fn: field("fn"),
    tpr: field("tpr"),
    tprLower: field("tpr_lower"),
    tprUpper: field("tpr_upper"),
    fpr: field("fpr"),
    fprLower: field("fpr_lower"),
    fprUpper: field("fpr_upper"),
  };
}

function versioned(raw: unknown, what: string): Record<string, unknown> {
  const fields = record(raw, what);
  if (fields.version !== VERSION) {
    throw new Malformed(
      `the ${what} has format version ${String(fields.version)}, this page reads ${VERSION}`,
    );
  }
  return fields;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (!isRecord(value)) throw new Malformed(`“${name}” is missing`);
  return value;
}

function list(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new Malformed(`“${name}” is not a list`);
  return value;
}

function number(value: unknown, name: string): number {
  if (typeof value !== "number" || Number.isNaN(value)) throw new Malformed(`“${name}” is not a number`);
  return value;
}

function text(value: unknown, name: string): string {
  if (typeof value !== "string") throw new Malformed(`“${name}” is not a text`);
  return value;
}

function textOrNull(value: unknown, name: string): string | null {
  return value === null ? null : text(value, name);
}

function pair<T>(value: unknown, read: (item: unknown, name: string) => T, name: string): Pair<T> {
  const items = list(value, name);
  if (items.length !== 2) throw new Malformed(`“${name}” is not a pair`);
  return [read(items[0], name), read(items[1], name)];
}

function float64s(value: unknown, name: string, length?: number): Float64Array {
  const bytes = view(value, name, 8, length);
  return Float64Array.from({ length: bytes.byteLength / 8 }, (_, i) => bytes.getFloat64(8 * i, true));
}

function countsOf(value: unknown, name: string, length: number, width: 2 | 4): Uint32Array {
  const bytes = view(value, name, width, length);
  const read = (i: number) => (width === 2 ? bytes.getUint16(2 * i, true) : bytes.getUint32(4 * i, true));
  return Uint32Array.from({ length }, (_, i) => read(i));
}

function view(value: unknown, name: string, itemSize: number, length?: number): DataView {
  if (!(value instanceof DataView)) throw new Malformed(`“${name}” holds no bytes`);
  const fits =
    length === undefined ? value.byteLength % itemSize === 0 : value.byteLength === itemSize * length;
  if (!fits) throw new Malformed(`“${name}” has ${value.byteLength} bytes, which does not fit`);
  return value;
}
