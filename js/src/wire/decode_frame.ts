// Decodes an answer of the kernel. The bytes are not trusted.

import { byLabelAndSide, type Pair } from "../base/pair.ts";
import { frameAt } from "../evaluation/at_alpha.ts";
import { withConfidence } from "../evaluation/guarantee.ts";
import {
  CHOSEN,
  type Evaluation,
  type Findings,
  type Frame,
  type Group,
  type Limits,
  MODELS,
  type OperatingPoint,
  type OrderStatistic,
  PROMISES,
  type Promised,
  type PromiseLine,
  type Words,
} from "../evaluation/types.ts";
import { type State, stateOf } from "./controls.ts";
import { reliabilityOf } from "./decode_reliability.ts";
import type { Answer } from "./messages.ts";
import {
  anything,
  ascendingCounts,
  attempt,
  count,
  type Fields,
  fieldsOf,
  float64s,
  listOf,
  malformed,
  misfit,
  number,
  oneOf,
  optional,
  orNull,
  pairOf,
  type Result,
  record,
  recordOf,
  text,
  versioned,
} from "./readers.ts";

export function decodeFrames(raw: unknown, { entries }: Group): Result<Answer> {
  return attempt(() => {
    const answer = versioned(raw, "frame");
    const field = fieldsOf(answer);
    const state = stateOf(answer.alpha, answer.threshold);
    const frames = field("entries", listOf(record));
    const mean = field("mean", optional(pairOf(number)));
    if (frames.length !== entries.length) {
      malformed(`the frame is of ${frames.length} evaluations, not of ${entries.length}`);
    }
    return {
      client: field("client", text),
      seq: field("seq", number),
      ...state,
      frames: frames.map((frame, i) => ({ ...frameOf(frame, entries[i], state), mean })),
    };
  });
}

function frameOf(frame: Fields, evaluation: Evaluation, state: State): Frame {
  const { nTest, thresholds, words, others } = evaluation;
  const field = fieldsOf(frame);
  const kind = field("kind", oneOf(PROMISES));
  const promised = [words, ...others.map((other) => other.words)].find((each) => each.kind === kind);
  if (!promised) return misfit("kind", "is a promise that the evaluation does not have");
  return {
    ...state,
    ...findingsOf(frame),
    ...withConfidence(promised, state.alpha),
    auc: field("auc", pairOf(number)),
    point: field("point", pointOf),
    limits: field("limits", orNull(limitsOf(nTest, thresholds.length))) ?? made(evaluation, state),
    reliability: field("reliability", optional(reliabilityOf([]))),
  };
}

/** Computes the limits of a frame that was sent without them. */
function made(evaluation: Evaluation, { alpha, threshold }: State): Limits {
  return frameAt(evaluation, alpha, threshold)?.limits ?? misfit("limits", "are missing");
}

export function limitsOf(nTest: Pair<number>, vertices: number) {
  return (value: unknown, name: string): Limits => {
    const limits = listOf(anything)(value, name);
    if (limits.length !== 4) misfit(name, "are not four");
    const rates = (i: number, k: 0 | 1) =>
      shares(ascendingCounts(limits[i], name, vertices, nTest[k]), nTest[k]);
    return { fprLower: rates(0, 0), fprUpper: rates(1, 0), tprLower: rates(2, 1), tprUpper: rates(3, 1) };
  };
}

export function findingsOf(frame: Fields): Findings {
  const field = fieldsOf(frame);
  return {
    orderStatistics: frame.quantiles === null ? null : orderStatistics(frame),
    guaranteed: field("guaranteed", pairOf(number)),
    local: field("local", orNull(localOf)),
    notes: field("notes", optional(listOf(text))) ?? [],
  };
}

function orderStatistics(frame: Fields): Pair<Pair<OrderStatistic>> {
  const residuals = float64s(frame.quantiles, "quantiles", 4);
  const ranks = fieldsOf(frame)("ranks", orNull(pairOf(pairOf(count))));
  return byLabelAndSide((label, side) => ({
    rank: ranks === null ? null : ranks[label][side],
    residual: residuals[2 * label + side],
  }));
}

function localOf(value: unknown, name: string) {
  const field = fieldsOf(value, name);
  const bits = field("missing", optional(count)) ?? 0;
  return {
    vacuousShare: field("vacuous_share", pairOf(number)),
    missing: byLabelAndSide((label, side) => ((bits >> (2 * label + side)) & 1) === 1),
  };
}

const pointOf = recordOf<OperatingPoint>(
  {
    ...{ tp: number, fp: number, tn: number, fn: number },
    ...{ tpr: number, tprLower: number, tprUpper: number },
    ...{ fpr: number, fprLower: number, fprUpper: number },
    ...{ youden: number, precision: orNull(number) },
  },
  "point.",
);

const lineOf = recordOf<PromiseLine>({
  ...{ level: text, scope: text, after: text, rest: text, condition: text },
  chosen: oneOf(CHOSEN),
});
const WORDS = { target: text, scope: text, guarantee: text, line: lineOf };
export const wordsOf = recordOf<Words>(WORDS);
export const promiseOf = recordOf<Promised>({ kind: oneOf(PROMISES), model: oneOf(MODELS), ...WORDS });

export const shares = (counts: Float64Array, n: number): Float64Array => counts.map((count) => count / n);
