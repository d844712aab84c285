// Everything that an evaluation gives at one alpha; its twin is at_alpha.py.

import { logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { ALPHA_STOPS } from "../base/steps.ts";
import { everywhere } from "./everywhere.ts";
import { withConfidence } from "./guarantee.ts";
import { exactVertex, limitsAtVertex, vertexAt } from "./observed_curve.ts";
import { guaranteedCoverage, ranks } from "./quantiles.ts";
import { type Ends, shareAbove, shareRankedAbove, sharesAbove } from "./sorted_sample.ts";
import type {
  Ahead,
  Confusion,
  Evaluation,
  Frame,
  Label,
  Limits,
  OperatingPoint,
  OrderStatistic,
  Promised,
  RateLimits,
  Residuals,
  Statement,
  Unranked,
} from "./types.ts";

/** Both ends of the intervals of each label. */
interface Intervals {
  lower: Pair<Ends>;
  upper: Pair<Ends>;
}

/** Everything at one alpha; without intervals only the limits at the vertices are known. */
interface Band {
  alpha: number;
  statement: Statement;
  auc: Pair<number>;
  intervals: Intervals | null;
  limits: Limits;
}

/** The evaluation at one setting; null if the page cannot compute it. */
export function frameAt(evaluation: Evaluation, alpha: number, threshold: number): Frame | null {
  const band = bandAt(evaluation, alpha);
  if (band === null) return null;
  const { statement, auc, limits, intervals } = band;
  const frame = { ...statement, alpha, auc, limits, reliability: null };
  const vertex = exactVertex(evaluation, threshold);
  if (vertex !== null)
    return { ...frame, threshold, point: pointOf(evaluation, threshold, limitsAtVertex(limits, vertex)) };
  if (intervals === null) return null;
  const at = logit(threshold);
  const here = limitsOf(intervals, (ends) => shareAbove(ends, at));
  return { ...frame, threshold, point: pointOf(evaluation, threshold, here) };
}

/** A frame at another threshold, if that is a vertex: the limits there are in the frame already. */
export function movedTo(evaluation: Evaluation, frame: Frame, threshold: number): Frame | null {
  const vertex = exactVertex(evaluation, threshold);
  return vertex === null
    ? null
    : { ...frame, threshold, point: pointOf(evaluation, threshold, limitsAtVertex(frame.limits, vertex)) };
}

/** The alphas that were computed ahead; null if the page computes every alpha. */
export function stopsOf({ centres, unranked, frozen, curves }: Evaluation): readonly number[] | null {
  if (unranked) return ALPHA_STOPS;
  return centres ? null : [...(frozen ?? curves ?? [])].map(({ alpha }) => alpha);
}

/** The operating point at any threshold of a frame: its own, or that of the vertex where the threshold lies. */
export function operatingPointAt(evaluation: Evaluation, frame: Frame, threshold: number): OperatingPoint {
  if (threshold === frame.threshold) return frame.point;
  const vertex = vertexAt(evaluation.thresholds, threshold);
  return pointOf(evaluation, evaluation.thresholds[vertex], limitsAtVertex(frame.limits, vertex));
}

function pointOf(evaluation: Evaluation, threshold: number, limits: RateLimits): OperatingPoint {
  const { nTest, unit } = evaluation;
  const { fp, tp } = countsAt(evaluation, threshold);
  const fpr = fp / nTest[0];
  const tpr = tp / nTest[1];
  return {
    tp: tp * unit,
    fp: fp * unit,
    tn: (nTest[0] - fp) * unit,
    fn: (nTest[1] - tp) * unit,
    tpr,
    fpr,
    ...limits,
    youden: tpr - fpr,
    precision: tp + fp > 0 ? tp / (tp + fp) : null,
  };
}

/** How many rows are in each cell at a threshold, whatever they weigh. If the curve is simplified, weighted ones are those of its nearest vertex. */
export function rowsInCells(evaluation: Evaluation, threshold: number): Confusion {
  const { called, nRows, thresholds } = evaluation;
  const vertex = vertexAt(thresholds, threshold);
  const { fp, tp } = called
    ? { fp: called.fp[vertex], tp: called.tp[vertex] }
    : countsAt(evaluation, threshold);
  return { tp, fn: nRows[1] - tp, fp, tn: nRows[0] - fp };
}

/** How many scores reach a threshold. If the curve is simplified, they are exact at its vertices and at whole thousandths. */
export function countsAt(evaluation: Evaluation, threshold: number): { fp: number; tp: number } {
  const { thresholds, falsePositives, truePositives, simplified, grid } = evaluation;
  const vertex = vertexAt(thresholds, threshold);
  const thousandths = Math.round(1000 * threshold);
  const isOnGrid = thousandths >= 0 && thousandths <= 1000 && thousandths / 1000 === threshold;
  return simplified && grid !== null && thresholds[vertex] !== threshold && isOnGrid
    ? { fp: grid.fp[1000 - thousandths], tp: grid.tp[1000 - thousandths] }
    : { fp: falsePositives[vertex], tp: truePositives[vertex] };
}

/** The band at the alpha asked for last: a threshold that moves shares it. */
export const bandAt = remembered(
  (evaluation: Evaluation, alpha: number): Band | null =>
    jointBand(evaluation, alpha) ??
    shiftedBand(evaluation, alpha) ??
    frozenBand(evaluation, alpha) ??
    sentBand(evaluation, alpha),
);

/** The band where all test points of a label have the same pair of order statistics: limits are centres, shifted. */
function shiftedBand(evaluation: Evaluation, alpha: number): Band | null {
  const { centres, logits } = evaluation;
  if (centres === null || evaluation.words.kind === "everywhere") return null;
  const found = evaluation.unranked ? unrankedAt(evaluation.unranked, alpha) : rankedAt(evaluation, alpha);
  if (found === null) return null;
  const { orderStatistics, guaranteed } = found;
  const ends = (k: 0 | 1, end: 0 | 1): Ends => ({
    ...(centres[k].counted ?? { values: centres[k].values }),
    shift: orderStatistics[k][end].residual,
  });
  const intervals: Intervals = { lower: [ends(0, 0), ends(1, 0)], upper: [ends(0, 1), ends(1, 1)] };
  return {
    alpha,
    statement: {
      orderStatistics,
      guaranteed,
      ...wordsAt(evaluation, alpha),
      local: null,
      notes: [],
    },
    auc: [
      shareRankedAbove(intervals.lower[1], intervals.upper[0]),
      shareRankedAbove(intervals.upper[1], intervals.lower[0]),
    ],
    intervals,
    limits: limitsAt(intervals, logits),
  };
}

type Picked = { orderStatistics: Pair<Pair<OrderStatistic>>; guaranteed: Pair<number> };

/** The order statistics that alpha picks among residuals that count alike. */
function rankedAt({ residuals, rule }: Evaluation, alpha: number): Picked {
  const [zeros, ones] = residuals.map((of) => ranks(of.n, alpha, rule));
  return {
    orderStatistics: [statistics(residuals[0], zeros, alpha), statistics(residuals[1], ones, alpha)],
    guaranteed: [guaranteedCoverage(residuals[0].n, zeros), guaranteedCoverage(residuals[1].n, ones)],
  };
}

/** The order statistics at a stop, as the kernel computed them ahead; null between stops. */
function unrankedAt(unranked: Pair<Unranked>, alpha: number): Picked | null {
  const at = ALPHA_STOPS.indexOf(alpha);
  if (at < 0) return null;
  const statistic = (label: Label, side: 0 | 1) => ({
    rank: null,
    residual: unranked[label].stops[2 * at + side],
  });
  return {
    orderStatistics: [
      [statistic(0, 0), statistic(0, 1)],
      [statistic(1, 0), statistic(1, 1)],
    ],
    guaranteed: [unranked[0].guaranteed[at], unranked[1].guaranteed[at]],
  };
}

/** Limits that hold at every threshold at once. */
function jointBand(evaluation: Evaluation, alpha: number): Band | null {
  const found = everywhere(evaluation, alpha);
  if (found === null) return null;
  const { auc, findings, ...intervals } = found;
  return {
    alpha,
    statement: { ...findings, ...wordsAt(evaluation, alpha) },
    auc,
    intervals,
    limits: limitsAt(intervals, evaluation.logits),
  };
}

/** Intervals of every test point, as the kernel computed them ahead. */
function frozenBand(evaluation: Evaluation, alpha: number): Band | null {
  const { frozen, logits } = evaluation;
  const ahead = frozen?.find((one) => one.alpha === alpha);
  if (!ahead) return null;
  return {
    ...ahead,
    statement: statementOf(evaluation, ahead),
    intervals: ahead,
    limits: limitsAt(ahead, logits),
  };
}

/** Limits at the vertices only, as the kernel computed them ahead. */
function sentBand(evaluation: Evaluation, alpha: number): Band | null {
  const ahead = evaluation.curves?.find((one) => one.alpha === alpha);
  return ahead ? { ...ahead, statement: statementOf(evaluation, ahead), intervals: null } : null;
}

/** Adds the words, in which only the confidence depends on alpha. */
function statementOf(evaluation: Evaluation, { alpha, statement }: Ahead): Statement {
  return { ...statement, ...wordsAt(evaluation, alpha) };
}

const wordsAt = ({ words }: Evaluation, alpha: number): Promised => withConfidence(words, alpha);

const limitsAt = (intervals: Intervals, logits: Float64Array): Limits =>
  limitsOf(intervals, (ends) => sharesAbove(ends, logits));

/** Limits of both rates, from how many ends of the intervals lie above something. */
const limitsOf = <Shares>({ lower, upper }: Intervals, sharesOf: (ends: Ends) => Shares) => ({
  fprLower: sharesOf(lower[0]),
  fprUpper: sharesOf(upper[0]),
  tprLower: sharesOf(lower[1]),
  tprUpper: sharesOf(upper[1]),
});

function statistics(of: Residuals, [low, high]: Pair<number>, alpha: number): Pair<OrderStatistic> {
  const stop = of.stops ? ALPHA_STOPS.indexOf(alpha) : -1;
  const residual = (rank: number, end: 0 | 1) => {
    if (rank === 0) return Number.NEGATIVE_INFINITY;
    if (rank > of.n) return Number.POSITIVE_INFINITY;
    if (of.stops && stop >= 0) return of.stops[2 * stop + end];
    return of.values[Math.floor(((rank - 0.5) * of.values.length) / of.n)];
  };
  return [
    { rank: low, residual: residual(low, 0) },
    { rank: high, residual: residual(high, 1) },
  ];
}
