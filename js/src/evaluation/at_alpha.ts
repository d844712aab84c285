// Computes all results of an evaluation at one alpha. In Python: at_alpha.py.

import { logit } from "../base/logit.ts";
import { byLabelAndSide, type Pair } from "../base/pair.ts";
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
  Limits,
  OperatingPoint,
  OrderStatistic,
  Promised,
  RateLimits,
  Residuals,
  Statement,
  Unranked,
} from "./types.ts";

/** The lower and the upper ends of the scores' intervals, by label. */
export interface Intervals {
  lower: Pair<Ends>;
  upper: Pair<Ends>;
}

/** All results at one alpha. If `intervals` is null, limits are known only at the curve's vertices. */
interface Band {
  alpha: number;
  statement: Statement;
  auc: Pair<number>;
  intervals: Intervals | null;
  limits: Limits;
}

/** Returns all results at an alpha and a threshold. Null if only the kernel can compute them. */
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

/**
 * Returns a frame moved to another threshold. Null if no vertex of the curve has that threshold's counts and limits.
 */
export function movedTo(evaluation: Evaluation, frame: Frame, threshold: number): Frame | null {
  const vertex = exactVertex(evaluation, threshold);
  return vertex === null
    ? null
    : { ...frame, threshold, point: pointOf(evaluation, threshold, limitsAtVertex(frame.limits, vertex)) };
}

/**
 * Returns the values of alpha whose limits the kernel computed in advance. Null if the page can compute limits at any
 * alpha.
 */
export function stopsOf({ centres, unranked, frozen, curves }: Evaluation): readonly number[] | null {
  if (unranked) return ALPHA_STOPS;
  return centres ? null : [...(frozen ?? curves ?? [])].map(({ alpha }) => alpha);
}

/**
 * Returns the operating point at a threshold. If it is the frame's threshold, returns the frame's point.
 * Otherwise returns the point of the vertex that `vertexAt` finds.
 */
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

/**
 * Returns the number of rows in each cell of the confusion matrix at a threshold. Each row counts once, whatever its
 * weight. If rows are weighted and the curve is simplified, rows are counted at the nearest vertex.
 */
export function rowsInCells(evaluation: Evaluation, threshold: number): Confusion {
  const { called, nRows, thresholds } = evaluation;
  const vertex = vertexAt(thresholds, threshold);
  const { fp, tp } = called
    ? { fp: called.fp[vertex], tp: called.tp[vertex] }
    : countsAt(evaluation, threshold);
  return { tp, fn: nRows[1] - tp, fp, tn: nRows[0] - fp };
}

/**
 * Returns the number of each label's scores that are at or above a threshold. If the curve is simplified, the numbers
 * are exact only at its vertices and at multiples of 0.001.
 */
export function countsAt(evaluation: Evaluation, threshold: number): { fp: number; tp: number } {
  const { thresholds, falsePositives, truePositives, simplified, grid } = evaluation;
  const vertex = vertexAt(thresholds, threshold);
  const thousandths = Math.round(1000 * threshold);
  const isOnGrid = thousandths >= 0 && thousandths <= 1000 && thousandths / 1000 === threshold;
  return simplified && grid !== null && thresholds[vertex] !== threshold && isOnGrid
    ? { fp: grid.fp[1000 - thousandths], tp: grid.tp[1000 - thousandths] }
    : { fp: falsePositives[vertex], tp: truePositives[vertex] };
}

/**
 * Returns the band at an alpha. Null if the page cannot compute it. The last band is cached, so that a new threshold
 * does not compute it again.
 */
export const bandAt = remembered(
  (evaluation: Evaluation, alpha: number): Band | null =>
    jointBand(evaluation, alpha) ??
    shiftedBand(evaluation, alpha) ??
    frozenBand(evaluation, alpha) ??
    sentBand(evaluation, alpha),
);

/**
 * Returns the band if all test points of a label have the same two order statistics of the residuals. The
 * interval of a test point goes from its centre plus the lower order statistic to its centre plus the upper
 * one. Null if order statistics differ between points.
 */
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

/** Returns the order statistics of the residuals at an alpha. All residuals have equal weight. */
function rankedAt({ residuals, rule }: Evaluation, alpha: number): Picked {
  const found = residuals.map(({ n }) => ranks(n, alpha, rule));
  return {
    orderStatistics: byLabelAndSide((label, side) => {
      const rank = found[label][side];
      return { rank, residual: residualAt(residuals[label], rank, side, alpha) };
    }),
    guaranteed: [guaranteedCoverage(residuals[0].n, found[0]), guaranteedCoverage(residuals[1].n, found[1])],
  };
}

/**
 * Returns the order statistics that the kernel computed in advance at one of `ALPHA_STOPS`. Null at any other alpha.
 */
function unrankedAt(unranked: Pair<Unranked>, alpha: number): Picked | null {
  const at = ALPHA_STOPS.indexOf(alpha);
  if (at < 0) return null;
  return {
    orderStatistics: byLabelAndSide((label, side) => ({
      rank: null,
      residual: unranked[label].stops[2 * at + side],
    })),
    guaranteed: [unranked[0].guaranteed[at], unranked[1].guaranteed[at]],
  };
}

/** Returns the band whose limits hold at every threshold at once. Null if the evaluation has another guarantee. */
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

/**
 * Returns the band from intervals of all test points that the kernel computed in advance. Null if there are none at
 * this alpha.
 */
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

/**
 * Returns the band if the kernel computed limits at the curve's vertices only. Null if there are none at this alpha.
 */
function sentBand(evaluation: Evaluation, alpha: number): Band | null {
  const ahead = evaluation.curves?.find((one) => one.alpha === alpha);
  return ahead ? { ...ahead, statement: statementOf(evaluation, ahead), intervals: null } : null;
}

/**
 * Returns the words of the guarantee for limits that the kernel computed in advance. Only their confidence depends on
 * alpha.
 */
function statementOf(evaluation: Evaluation, { alpha, statement }: Ahead): Statement {
  return { ...statement, ...wordsAt(evaluation, alpha) };
}

const wordsAt = ({ words }: Evaluation, alpha: number): Promised => withConfidence(words, alpha);

const limitsAt = (intervals: Intervals, logits: Float64Array): Limits =>
  limitsOf(intervals, (ends) => sharesAbove(ends, logits));

/**
 * Returns the limits of both rates at a threshold: the share of the intervals' lower ends above it, and the share of
 * their upper ends above it. `sharesOf` computes such a share.
 */
const limitsOf = <Shares>({ lower, upper }: Intervals, sharesOf: (ends: Ends) => Shares) => ({
  fprLower: sharesOf(lower[0]),
  fprUpper: sharesOf(upper[0]),
  tprLower: sharesOf(lower[1]),
  tprUpper: sharesOf(upper[1]),
});

/** Returns the residual of a rank, which is that of one side at an alpha. The residuals may be a sample of all. */
export function residualAt(of: Residuals, rank: number, side: 0 | 1, alpha: number): number {
  if (rank === 0) return Number.NEGATIVE_INFINITY;
  if (rank > of.n) return Number.POSITIVE_INFINITY;
  const stop = of.stops ? ALPHA_STOPS.indexOf(alpha) : -1;
  if (of.stops && stop >= 0) return of.stops[2 * stop + side];
  return of.values[Math.floor(((rank - 0.5) * of.values.length) / of.n)];
}
