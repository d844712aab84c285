// Wire format, version 2. Its twin on the other side is wire.py; no other file knows it.

import { expit } from "../base/scale.ts";
import { logit } from "../evaluation/sorted_sample.ts";
import {
  ascending,
  ascendingCounts,
  attempt,
  count,
  type Fields,
  flag,
  float32s,
  float64s,
  isRecord,
  type Json,
  json,
  level,
  list,
  malformed,
  number,
  oneOf,
  orNull,
  type Pair,
  pair,
  type Result,
  record,
  text,
} from "./readers.ts";

export type { Json, Pair, Result } from "./readers.ts";

export const BAND_KINDS = ["sensitivity", "specificity", "both"] as const;
export type BandKind = (typeof BAND_KINDS)[number];
export const WEIGHTS = ["size", "uniform"] as const;
export type Weights = (typeof WEIGHTS)[number];
export const RULES = ["paper", "split"] as const;
export type Rule = (typeof RULES)[number];
const KINDS = ["single", "classes", "classifiers", "bands"] as const;

/** Ascending numbers, `n` of them: all, or as many as `values` holds, at evenly spaced ranks. */
export interface Sorted<T = Float64Array> {
  n: number;
  values: T;
}

/** Calibration residuals of a label; where they are thinned, `stops` has the order statistics at ALPHA_STOPS. */
export interface Residuals extends Sorted {
  stops: Float64Array | null;
}

export interface Words {
  target: string;
  scope: string;
  /** With the place "{confidence}". */
  guarantee: string;
}

/** One evaluation of a classifier: what does not depend on alpha. Index 0 is label 0, index 1 is label 1. */
export interface Evaluation {
  /** Its key in the group; null for a single evaluation. */
  label: Json;
  name: string;
  classes: Pair<string>;
  nTest: Pair<number>;
  nCalibration: Pair<number>;
  auc: number;
  rule: Rule;
  words: Words;
  /** At an alpha below this a label has no limits. */
  vacuousBelow: Pair<number>;
  /** The same, rounded up to two digits. */
  firstAlpha: Pair<string>;
  notes: string[];
  /** Share of the test points at which the reference extrapolates. */
  supportShare: number | null;
  /** That share is estimated from some of the points. */
  supportAbout: boolean;
  /** The vertices are some of the curve's. */
  simplified: boolean;
  /** Every array is complete, so the page's numbers are exact. */
  whole: boolean;
  /** Thresholds of the drawn vertices, descending, the first is +Infinity. */
  thresholds: Float64Array;
  logits: Float64Array;
  falsePositives: Uint32Array;
  truePositives: Uint32Array;
  fpr: Float64Array;
  tpr: Float64Array;
  /** Where simplified: counts of p >= 1.000, 0.999, ..., 0.000. */
  grid: Counts | null;
  /** Logits that the intervals lie around; null where the page cannot compute them. */
  centres: Pair<Sorted> | null;
  /** Scores and residuals are empty where the page has curves alone. */
  scores: Pair<Sorted<Float32Array>>;
  residuals: Pair<Residuals>;
  frozen: Frozen[] | null;
  curves: Curve[] | null;
}

/** One evaluation, the classes of a one-vs-rest set, several classifiers on one test set, or several bands around one curve. */
export interface Group {
  kind: (typeof KINDS)[number];
  entries: Evaluation[];
}

type Vertices = Pick<Evaluation, "thresholds" | "falsePositives" | "truePositives">;

interface Counts {
  fp: Uint32Array;
  tp: Uint32Array;
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
  youden: number;
  /** Null where nothing is called positive. */
  precision: number | null;
}

/** A residual, which may be infinite, and its rank among the calibration residuals of its label. */
export interface OrderStatistic {
  rank: number;
  residual: number;
}

/** Limits of both bands at the vertices of the evaluation, as rates. */
export interface Limits {
  fprLower: Float64Array;
  fprUpper: Float64Array;
  tprLower: Float64Array;
  tprUpper: Float64Array;
}

/** What holds at one alpha, apart from the curves. */
interface Findings {
  /** The order statistics of each label; null where every test point has its own. */
  orderStatistics: Pair<Pair<OrderStatistic>> | null;
  guaranteed: Pair<number>;
  /** Why the limits of a label say nothing; null where they say something. */
  vacuous: Pair<string | null>;
  /** Where every test point has its own interval: the share of a label's that are everything from 0 to 1. */
  local: { vacuousShare: Pair<number> } | null;
}

/** The same with what a band covers, where, and what is promised. */
export type Statement = Findings & Words;

/** One evaluation at one setting of the sliders. */
export interface Frame extends Statement {
  alpha: number;
  threshold: number;
  auc: Pair<number>;
  point: OperatingPoint;
  limits: Limits;
}

/** One of the alphas that were computed ahead. */
export interface Ahead {
  alpha: number;
  statement: Findings;
  auc: Pair<number>;
}

/** The limits at the vertices, and nowhere else. */
export interface Curve extends Ahead {
  limits: Limits;
}

/** The ends of all intervals. */
export interface Frozen extends Ahead {
  /** Logits, ascending, by label. */
  lower: Pair<Float64Array>;
  upper: Pair<Float64Array>;
}

/** Limits of the true positive rate at one alpha. */
export interface Lines {
  alpha: number;
  lower: Float64Array;
  upper: Float64Array;
}

/** Somebody else's band: where this classifier's curve lies in the population. */
export interface Comparator extends Words {
  key: string;
  name: string;
  notes: string[];
  status: (typeof STATUSES)[number];
  done: number;
  total: number;
  /** Why it failed. */
  message: string | null;
  /** What the guarantee and the notes speak of. */
  alpha: number;
  /** Ascending; the lines run straight from one to the next. */
  fpr: Float64Array;
  /** At the alphas that are known, one of them that of the kernel's last answer; none before there is an answer. */
  lines: Lines[];
}

/** DeLong's paired test of a difference in AUC. */
export interface PairedTest {
  a: string;
  b: string;
  difference: number;
  /** Null where the test has none. */
  z: number | null;
  p: number | null;
}

export interface Comparators {
  /** The entry that the items and the area are of. */
  label: Json;
  items: Comparator[];
  /** Where the AUC in the population lies. */
  delong: { alpha: number; range: Pair<number> } | null;
  pairs: PairedTest[];
}

export interface State {
  alpha: number;
  threshold: number;
}

export interface View {
  band: BandKind;
  /** The entry looked at, by its label; null for all of them. */
  label: Json;
  weights: Weights;
}

export const VIEW = ["band", "label", "weights"] as const satisfies (keyof View)[];

export interface Traits extends State, View {}

/** What the kernel is to set: the sliders, and what else the reader has chosen. */
export type Wish = State & Partial<View>;

/** One answer of the kernel: a frame for each entry of the group. */
export interface Answer extends State {
  client: string;
  seq: number;
  frames: Frame[];
}

/** What the page asks of the kernel, and whose answer it will recognise. */
export interface Request extends Wish {
  type: "state";
  client: string;
  seq: number;
}

export interface Failure {
  client: string;
  seq: number;
  message: string;
}

const STATUSES = ["working", "done", "failed"] as const;
const VERSION = 2;
/** What the alpha slider can reach: 0.001 to 0.1 by 0.001, then 0.105 to 0.5 by 0.005. */
export const ALPHA_STOPS: readonly number[] = Array.from({ length: 180 }, (_, i) =>
  i < 100 ? (i + 1) / 1000 : (5 * i - 395) / 1000,
);
const GRID = 1001;

export function decodeGroup(raw: unknown): Result<Group> {
  return attempt(() => {
    const data = versioned(raw, "evaluation");
    const kind = oneOf(KINDS)(data.kind, "kind");
    const entries = list(data.entries, "entries", evaluationOf);
    if (entries.length === 0 || (kind === "single" && entries.length > 1)) {
      malformed(`“entries” are ${entries.length} evaluations`);
    }
    return { kind, entries };
  });
}

export function decodeFrames(raw: unknown, { entries }: Group): Result<Answer> {
  return attempt(() => {
    const answer = versioned(raw, "frame");
    const state = stateOf(answer.alpha, answer.threshold);
    const frames = list(answer.entries, "entries", record);
    if (frames.length !== entries.length) {
      malformed(`the frame is of ${frames.length} evaluations, not of ${entries.length}`);
    }
    return {
      client: text(answer.client, "client"),
      seq: number(answer.seq, "seq"),
      ...state,
      frames: frames.map((frame, i) => frameOf(frame, entries[i], state)),
    };
  });
}

export function decodeTraits(raw: Record<keyof Traits, unknown>): Result<Traits> {
  return attempt(() => ({
    ...stateOf(raw.alpha, raw.threshold),
    band: oneOf(BAND_KINDS)(raw.band, "band"),
    label: json(raw.label, "label"),
    weights: oneOf(WEIGHTS)(raw.weights, "weights"),
  }));
}

export const NO_COMPARATORS: Comparators = { label: null, items: [], delong: null, pairs: [] };

/** Nothing where none were asked for. */
export function decodeComparators(raw: unknown): Result<Comparators> {
  return attempt(() => {
    if (raw === null || raw === undefined || (isRecord(raw) && Object.keys(raw).length === 0)) {
      return NO_COMPARATORS;
    }
    const { label, items, delong, delong_alpha, pairs } = versioned(raw, "comparison");
    const range = orNull((value, name) => pair(value, name, number))(delong, "delong");
    return {
      label: json(label, "label"),
      items: list(items, "items", comparatorOf),
      delong: range && { alpha: level(delong_alpha, "delong_alpha"), range },
      pairs: orNull((value, name) => list(value, name, pairedTestOf))(pairs, "pairs") ?? [],
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

export function encodeRequest(client: string, seq: number, wish: Wish): Request {
  return { type: "state", client, seq, ...wish };
}

function evaluationOf(raw: unknown, name: string): Evaluation {
  const data = record(raw, name);
  const nTest = pair(data.n_test, "n_test", atLeastOne);
  const thresholds = thresholdsOf(data.thresholds);
  const vertices = thresholds.length;
  const falsePositives = ascendingCounts(data.fp, "fp", vertices, nTest[0]);
  const truePositives = ascendingCounts(data.tp, "tp", vertices, nTest[1]);
  const centres = orNull(centresOf(nTest))(data.centres, "centres");
  const whole = flag(data.whole, "whole");
  const residuals = pair(data.residuals, "residuals", residualsOf);
  if (centres && residuals.some(({ n, values }) => n > 0 && values.length === 0)) {
    malformed("“residuals” are missing");
  }
  if (whole && [...(centres ?? []), ...residuals].some(({ n, values }) => values.length < n)) {
    malformed("“whole” arrays are thinned");
  }
  const counted = { thresholds, falsePositives, truePositives };
  return {
    label: json(data.label, "label"),
    name: text(data.name, "name"),
    classes: pair(data.classes, "classes", text),
    nTest,
    nCalibration: pair(data.n_calibration, "n_calibration", count),
    auc: number(data.auc, "auc"),
    rule: oneOf(RULES)(data.rule, "rule"),
    words: wordsOf(record(data.words, "words")),
    vacuousBelow: pair(data.vacuous_below, "vacuous_below", number),
    firstAlpha: pair(data.first_alpha, "first_alpha", text),
    notes: list(data.notes, "notes", text),
    ...supportOf(data.support),
    simplified: flag(data.simplified, "simplified"),
    whole,
    ...counted,
    logits:
      data.logits === null
        ? logitsOf(counted, whole ? centres : null)
        : float64s(data.logits, "logits", thresholds.length),
    fpr: shares(falsePositives, nTest[0]),
    tpr: shares(truePositives, nTest[1]),
    grid: orNull(gridOf(nTest))(data.grid, "grid"),
    centres,
    scores: scoresFrom(data.scores, centres),
    residuals,
    frozen: orNull((value, what) => list(value, what, frozenOf))(data.frozen, "frozen"),
    curves: orNull((value, what) => list(value, what, curveOf(nTest, vertices)))(
      data.curves ?? null,
      "curves",
    ),
  };
}

function thresholdsOf(value: unknown): Float64Array {
  const thresholds = float64s(value, "thresholds");
  if (thresholds.length < 2) malformed("the curve has fewer than two vertices");
  const falls = thresholds.every((threshold, i) => i === 0 || threshold < thresholds[i - 1]);
  if (thresholds[0] !== Number.POSITIVE_INFINITY || !falls || thresholds[thresholds.length - 1] < 0) {
    malformed("“thresholds” do not fall from infinity to a probability");
  }
  return thresholds;
}

/** Logits of the vertices, which are scores: exact where the page has the logits of all scores. */
function logitsOf({ thresholds, ...counted }: Vertices, centres: Pair<Sorted> | null): Float64Array {
  if (centres === null) return thresholds.map(logit);
  const [zeros, ones] = centres.map(({ values }) => values);
  return thresholds.map((threshold, j) =>
    threshold < 1 && threshold > 0
      ? Math.min(smallest(zeros, counted.falsePositives[j]), smallest(ones, counted.truePositives[j]))
      : logit(threshold),
  );
}

/** The smallest of the so many largest. */
function smallest(ascending: Float64Array, largest: number): number {
  return largest > 0 ? ascending[ascending.length - largest] : Number.POSITIVE_INFINITY;
}

function centresOf(nTest: Pair<number>) {
  return (value: unknown, name: string): Pair<Sorted> => {
    const centres = pair(value, name, sortedOf);
    if (centres.some(({ n, values }, k) => n !== nTest[k] || values.length === 0)) {
      malformed("“centres” are not those of the test points");
    }
    return centres;
  };
}

function gridOf(nTest: Pair<number>) {
  return (value: unknown, name: string): Counts => {
    const { fp, tp } = record(value, name);
    return {
      fp: ascendingCounts(fp, "grid.fp", GRID, nTest[0]),
      tp: ascendingCounts(tp, "grid.tp", GRID, nTest[1]),
    };
  };
}

function sortedOf(value: unknown, name: string): Sorted {
  const { n, values } = record(value, name);
  return sized(n, ascending(float64s(values, name), name), name);
}

/** Null where the centres are the logits of the scores: these are then for drawing alone, and need no bytes. */
function scoresFrom(value: unknown, centres: Pair<Sorted> | null): Pair<Sorted<Float32Array>> {
  if (value !== null || centres === null) return pair(value, "scores", scoresOf);
  const [zeros, ones] = centres.map(({ n, values }) => ({ n, values: Float32Array.from(values, expit) }));
  return [zeros, ones];
}

function scoresOf(value: unknown, name: string): Sorted<Float32Array> {
  const { n, values } = record(value, name);
  return sized(n, ascending(float32s(values, name), name), name);
}

function sized<T extends Float32Array | Float64Array>(n: unknown, values: T, name: string): Sorted<T> {
  return values.length <= count(n, name)
    ? { n: count(n, name), values }
    : malformed(`“${name}” are more than n`);
}

function residualsOf(value: unknown, name: string): Residuals {
  const { stops } = record(value, name);
  const sorted = sortedOf(value, name);
  return { ...sorted, stops: orNull(stopsOf)(stops, "stops") };
}

function stopsOf(value: unknown, name: string): Float64Array {
  return float64s(value, name, 2 * ALPHA_STOPS.length);
}

function aheadOf({ alpha, frame, auc }: Fields): Ahead {
  return {
    alpha: level(alpha, "alpha"),
    statement: findingsOf(record(frame, "frame")),
    auc: pair(auc, "auc", number),
  };
}

function frozenOf(value: unknown, name: string): Frozen {
  const fields = record(value, name);
  return {
    ...aheadOf(fields),
    lower: pair(fields.lower, "frozen.lower", endsOf),
    upper: pair(fields.upper, "frozen.upper", endsOf),
  };
}

function curveOf(nTest: Pair<number>, vertices: number) {
  return (value: unknown, name: string): Curve => {
    const fields = record(value, name);
    return { ...aheadOf(fields), limits: limitsOf(fields.limits, nTest, vertices) };
  };
}

function comparatorOf(value: unknown, name: string): Comparator {
  const fields = record(value, name);
  const { status, fpr, stops } = fields;
  const isDone = status === "done";
  const rates = isDone ? ascending(ratesOf(float64s(fpr, "fpr"), "fpr"), "fpr") : new Float64Array();
  if (isDone && rates.length < 2) malformed("“fpr” has fewer than two points");
  const linesOf = (
    { alpha, lower, upper }: Fields,
    read: (value: unknown, name: string) => Float64Array,
  ) => ({
    alpha: level(alpha, "alpha"),
    lower: ratesOf(read(lower, "lower"), "lower", rates.length),
    upper: ratesOf(read(upper, "upper"), "upper", rates.length),
  });
  // The limits at other alphas are for drawing alone, in half the bytes.
  const stopOf = (stop: unknown, what: string) =>
    linesOf(record(stop, what), (value, side) => Float64Array.from(float32s(value, side)));
  return {
    key: text(fields.key, "key"),
    name: text(fields.name, "name"),
    target: text(fields.target, "target"),
    scope: text(fields.scope, "scope"),
    guarantee: text(fields.guarantee, "guarantee"),
    notes: list(fields.notes, "notes", text),
    status: oneOf(STATUSES)(status, "status"),
    done: count(fields.done, "done"),
    total: count(fields.total, "total"),
    message: orNull(text)(fields.message ?? null, "message"),
    alpha: level(fields.alpha, "alpha"),
    fpr: rates,
    lines: isDone ? [linesOf(fields, float64s), ...(orNull(stopsRead)(stops, "stops") ?? [])] : [],
  };

  function stopsRead(value: unknown, what: string): Lines[] {
    return list(value, what, stopOf);
  }
}

function ratesOf(rates: Float64Array, name: string, length = rates.length): Float64Array {
  if (rates.length !== length) malformed(`“${name}” are not as many as “fpr”`);
  return rates.every((rate) => rate >= 0 && rate <= 1) ? rates : malformed(`“${name}” are no rates`);
}

function pairedTestOf(value: unknown, name: string): PairedTest {
  const { a, b, difference, z, p } = record(value, name);
  return {
    a: text(a, "a"),
    b: text(b, "b"),
    difference: number(difference, "difference"),
    z: orNull(number)(z, "z"),
    p: orNull(number)(p, "p"),
  };
}

function endsOf(value: unknown, name: string): Float64Array {
  const ends = ascending(float64s(value, name), name);
  return ends.length > 0 ? ends : malformed(`“${name}” are none`);
}

function wordsOf({ target, scope, guarantee }: Fields): Words {
  return {
    target: text(target, "target"),
    scope: text(scope, "scope"),
    guarantee: text(guarantee, "guarantee"),
  };
}

function supportOf(value: unknown): Pick<Evaluation, "supportShare" | "supportAbout"> {
  if (value === null) return { supportShare: null, supportAbout: false };
  const { share, about } = record(value, "support");
  return {
    supportShare: number(share, "support.share"),
    supportAbout: flag(about, "support.about"),
  };
}

function frameOf(frame: Fields, { nTest, thresholds }: Evaluation, state: State): Frame {
  return {
    ...state,
    ...statementOf(frame),
    auc: pair(frame.auc, "auc", number),
    point: pointOf(record(frame.point, "point")),
    limits: limitsOf(frame.limits, nTest, thresholds.length),
  };
}

function limitsOf(value: unknown, nTest: Pair<number>, vertices: number): Limits {
  const limits = list(value, "limits", (bytes) => bytes);
  if (limits.length !== 4) malformed("“limits” are not four");
  const rates = (i: number, k: 0 | 1) =>
    shares(ascendingCounts(limits[i], "limits", vertices, nTest[k]), nTest[k]);
  return { fprLower: rates(0, 0), fprUpper: rates(1, 0), tprLower: rates(2, 1), tprUpper: rates(3, 1) };
}

function statementOf(frame: Fields): Statement {
  return { ...findingsOf(frame), ...wordsOf(frame) };
}

function findingsOf(frame: Fields): Findings {
  return {
    orderStatistics: frame.quantiles === null ? null : orderStatistics(frame),
    guaranteed: pair(frame.guaranteed, "guaranteed", number),
    vacuous: pair(frame.vacuous, "vacuous", orNull(text)),
    local: orNull(localOf)(frame.local, "local"),
  };
}

function orderStatistics({ quantiles, ranks }: Fields): Pair<Pair<OrderStatistic>> {
  const residuals = float64s(quantiles, "quantiles", 4);
  const [first, second] = pair(ranks, "ranks", (value, name) => pair(value, name, count));
  const statistic = (rank: number, i: number) => ({ rank, residual: residuals[i] });
  return [
    [statistic(first[0], 0), statistic(first[1], 1)],
    [statistic(second[0], 2), statistic(second[1], 3)],
  ];
}

function localOf(value: unknown, name: string) {
  return { vacuousShare: pair(record(value, name).vacuous_share, "vacuous_share", number) };
}

function pointOf(raw: Fields): OperatingPoint {
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
    youden: field("youden"),
    precision: orNull(number)(raw.precision, "point.precision"),
  };
}

function stateOf(alpha: unknown, threshold: unknown): State {
  return { alpha: level(alpha, "alpha"), threshold: number(threshold, "threshold") };
}

function versioned(raw: unknown, what: string): Fields {
  const fields = record(raw, what);
  if (fields.version !== VERSION) {
    malformed(`the ${what} has format version ${JSON.stringify(fields.version)}, this page reads ${VERSION}`);
  }
  return fields;
}

function atLeastOne(value: unknown, name: string): number {
  const n = count(value, name);
  return n > 0 ? n : malformed(`“${name}” is 0`);
}

function shares(counts: Uint32Array, n: number): Float64Array {
  const rates = new Float64Array(counts);
  for (let i = 0; i < rates.length; i++) rates[i] /= n;
  return rates;
}
