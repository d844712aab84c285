// One answer of the kernel from bytes that may be anything.

import type { Pair } from "../base/pair.ts";
import type {
  Evaluation,
  Findings,
  Frame,
  Group,
  Limits,
  OperatingPoint,
  OrderStatistic,
  Statement,
  Words,
} from "../evaluation/types.ts";
import { type Answer, type State, stateOf } from "./messages.ts";
import {
  ascendingCounts,
  attempt,
  count,
  type Fields,
  float64s,
  list,
  malformed,
  number,
  orNull,
  pair,
  type Result,
  record,
  text,
  versioned,
} from "./readers.ts";

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

function frameOf(frame: Fields, { nTest, thresholds }: Evaluation, state: State): Frame {
  return {
    ...state,
    ...statementOf(frame),
    auc: pair(frame.auc, "auc", number),
    point: pointOf(record(frame.point, "point")),
    limits: limitsOf(frame.limits, nTest, thresholds.length),
  };
}

export function limitsOf(value: unknown, nTest: Pair<number>, vertices: number): Limits {
  const limits = list(value, "limits", (bytes) => bytes);
  if (limits.length !== 4) malformed("“limits” are not four");
  const rates = (i: number, k: 0 | 1) =>
    shares(ascendingCounts(limits[i], "limits", vertices, nTest[k]), nTest[k]);
  return { fprLower: rates(0, 0), fprUpper: rates(1, 0), tprLower: rates(2, 1), tprUpper: rates(3, 1) };
}

function statementOf(frame: Fields): Statement {
  return { ...findingsOf(frame), ...wordsOf(frame) };
}

export function findingsOf(frame: Fields): Findings {
  return {
    orderStatistics: frame.quantiles === null ? null : orderStatistics(frame),
    guaranteed: pair(frame.guaranteed, "guaranteed", number),
    vacuous: pair(frame.vacuous, "vacuous", orNull(text)),
    local: orNull(localOf)(frame.local, "local"),
    notes: list(frame.notes ?? [], "notes", text),
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
  const { vacuous_share, missing } = record(value, name);
  const bits = count(missing ?? 0, "missing");
  const isSet = (bit: number) => ((bits >> bit) & 1) === 1;
  return {
    vacuousShare: pair(vacuous_share, "vacuous_share", number),
    missing: [
      [isSet(0), isSet(1)],
      [isSet(2), isSet(3)],
    ] as const,
  };
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

export function wordsOf({ target, scope, guarantee }: Fields): Words {
  return {
    target: text(target, "target"),
    scope: text(scope, "scope"),
    guarantee: text(guarantee, "guarantee"),
  };
}

export function shares(counts: Uint32Array, n: number): Float64Array {
  const rates = new Float64Array(counts);
  for (let i = 0; i < rates.length; i++) rates[i] /= n;
  return rates;
}
