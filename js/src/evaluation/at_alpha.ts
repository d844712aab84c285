// A test set with its calibration residuals, asked at any alpha; its twin is evaluation.py.

import {
  type Ahead,
  ALPHA_STOPS,
  type Evaluation,
  type Frame,
  type Limits,
  type OperatingPoint,
  type OrderStatistic,
  type Pair,
  type Residuals,
  type Sorted,
  type Statement,
  type Words,
} from "../wire/messages.ts";
import { exactVertex, vertexAt } from "./observed_curve.ts";
import { guaranteedCoverage, ranks, residualsNeeded } from "./quantiles.ts";
import { type Ends, logit, shareAbove, shareRankedAbove, sharesAbove } from "./sorted_sample.ts";

/** Both ends of the intervals of each label. */
interface Intervals {
  lower: Pair<Ends>;
  upper: Pair<Ends>;
}

/** What one alpha gives: without intervals only the limits at the vertices are known. */
interface Band {
  alpha: number;
  statement: Statement;
  auc: Pair<number>;
  intervals: Intervals | null;
  limits: Limits;
}

/** The evaluation at one setting; null where the page cannot compute it. */
export function frameAt(evaluation: Evaluation, alpha: number, threshold: number): Frame | null {
  const band = bandAt(evaluation, alpha);
  if (band === null) return null;
  const { statement, auc, limits, intervals } = band;
  const frame = { ...statement, alpha, auc, limits };
  const vertex = exactVertex(evaluation, threshold);
  if (vertex !== null)
    return { ...frame, threshold, point: pointAtVertex(evaluation, limits, vertex, threshold) };
  if (intervals === null) return null;
  const reached = (ends: Ends) => shareAbove(ends, logit(threshold));
  const { lower, upper } = intervals;
  const rates = [reached(lower[0]), reached(upper[0]), reached(lower[1]), reached(upper[1])] as const;
  return { ...frame, threshold, point: pointOf(evaluation, threshold, ...rates) };
}

/** A frame at another threshold, if that is a vertex: the limits there are in the frame already. */
export function movedTo(evaluation: Evaluation, frame: Frame, threshold: number): Frame | null {
  const vertex = exactVertex(evaluation, threshold);
  return vertex === null
    ? null
    : { ...frame, threshold, point: pointAtVertex(evaluation, frame.limits, vertex, threshold) };
}

/** The alphas that were computed ahead; null where the page computes every alpha. */
export function stopsOf({ centres, frozen, curves }: Evaluation): number[] | null {
  return centres ? null : [...(frozen ?? curves ?? [])].map(({ alpha }) => alpha);
}

export function pointAtVertex(
  evaluation: Evaluation,
  { fprLower, fprUpper, tprLower, tprUpper }: Limits,
  vertex: number,
  threshold = evaluation.thresholds[vertex],
): OperatingPoint {
  return pointOf(
    evaluation,
    threshold,
    fprLower[vertex],
    fprUpper[vertex],
    tprLower[vertex],
    tprUpper[vertex],
  );
}

function pointOf(
  evaluation: Evaluation,
  threshold: number,
  fprLower: number,
  fprUpper: number,
  tprLower: number,
  tprUpper: number,
): OperatingPoint {
  const { nTest } = evaluation;
  const { fp, tp } = countsAt(evaluation, threshold);
  const fpr = fp / nTest[0];
  const tpr = tp / nTest[1];
  return {
    tp,
    fp,
    tn: nTest[0] - fp,
    fn: nTest[1] - tp,
    tpr,
    tprLower,
    tprUpper,
    fpr,
    fprLower,
    fprUpper,
    youden: tpr - fpr,
    precision: tp + fp > 0 ? tp / (tp + fp) : null,
  };
}

/** How many scores reach a threshold; of a simplified curve exact at its vertices and at whole thousandths. */
function countsAt(evaluation: Evaluation, threshold: number): { fp: number; tp: number } {
  const { thresholds, falsePositives, truePositives, simplified, grid } = evaluation;
  const vertex = vertexAt(thresholds, threshold);
  const thousandths = Math.round(1000 * threshold);
  const isOnGrid = thousandths >= 0 && thousandths <= 1000 && thousandths / 1000 === threshold;
  return simplified && grid !== null && thresholds[vertex] !== threshold && isOnGrid
    ? { fp: grid.fp[1000 - thousandths], tp: grid.tp[1000 - thousandths] }
    : { fp: falsePositives[vertex], tp: truePositives[vertex] };
}

/** What was made for the alpha asked for last: a threshold that moves shares it. */
const latest = new WeakMap<Evaluation, Band>();

function bandAt(evaluation: Evaluation, alpha: number): Band | null {
  const known = latest.get(evaluation);
  if (known?.alpha === alpha) return known;
  const band = pooled(evaluation, alpha) ?? thawed(evaluation, alpha) ?? kept(evaluation, alpha);
  if (band !== null) latest.set(evaluation, band);
  return band;
}

/** One pair of order statistics serves all test points of a label: their limits are a shift. */
function pooled(evaluation: Evaluation, alpha: number): Band | null {
  const { centres, residuals, rule, logits } = evaluation;
  if (centres === null) return null;
  const [zeros, ones] = residuals.map((of) => ranks(of.n, alpha, rule));
  const orderStatistics: Statement["orderStatistics"] = [
    statistics(residuals[0], zeros, alpha),
    statistics(residuals[1], ones, alpha),
  ];
  const ends = (k: 0 | 1, end: 0 | 1) => endsOf(centres[k], orderStatistics[k][end]);
  const intervals: Intervals = { lower: [ends(0, 0), ends(1, 0)], upper: [ends(0, 1), ends(1, 1)] };
  return {
    alpha,
    statement: {
      orderStatistics,
      guaranteed: [guaranteedCoverage(residuals[0].n, zeros), guaranteedCoverage(residuals[1].n, ones)],
      vacuous: [
        vacuous(evaluation, 0, orderStatistics[0], alpha),
        vacuous(evaluation, 1, orderStatistics[1], alpha),
      ],
      ...wordsAt(evaluation, alpha),
      local: null,
    },
    auc: [
      shareRankedAbove(intervals.lower[1], intervals.upper[0]),
      shareRankedAbove(intervals.upper[1], intervals.lower[0]),
    ],
    intervals,
    limits: limitsAt(intervals, logits),
  };
}

/** Intervals of every test point, as the kernel computed them ahead. */
function thawed(evaluation: Evaluation, alpha: number): Band | null {
  const { frozen, logits } = evaluation;
  const made = frozen?.find((one) => one.alpha === alpha);
  if (!made) return null;
  const ends = ([zeros, ones]: Pair<Float64Array>): Pair<Ends> => [
    { values: zeros, shift: 0 },
    { values: ones, shift: 0 },
  ];
  const intervals = { lower: ends(made.lower), upper: ends(made.upper) };
  return { ...made, statement: stated(evaluation, made), intervals, limits: limitsAt(intervals, logits) };
}

function kept(evaluation: Evaluation, alpha: number): Band | null {
  const made = evaluation.curves?.find((one) => one.alpha === alpha);
  return made ? { ...made, statement: stated(evaluation, made), intervals: null } : null;
}

/** What came ahead is without the words, which differ in the confidence alone. */
function stated(evaluation: Evaluation, { alpha, statement }: Ahead): Statement {
  return { ...statement, ...wordsAt(evaluation, alpha) };
}

function wordsAt({ words }: Evaluation, alpha: number): Words {
  return { ...words, guarantee: words.guarantee.replaceAll("{confidence}", percent(1 - alpha)) };
}

function endsOf({ values }: Sorted, { residual }: OrderStatistic): Ends {
  return { values, shift: residual };
}

function limitsAt({ lower, upper }: Intervals, logits: Float64Array): Limits {
  return {
    fprLower: sharesAbove(lower[0], logits),
    fprUpper: sharesAbove(upper[0], logits),
    tprLower: sharesAbove(lower[1], logits),
    tprUpper: sharesAbove(upper[1], logits),
  };
}

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

/** Why the limits of a label say nothing; null where they say something. In the very words of evaluation.py. */
function vacuous(
  { nCalibration, rule, firstAlpha }: Evaluation,
  label: 0 | 1,
  [lower, upper]: Pair<OrderStatistic>,
  alpha: number,
): string | null {
  if (lower.residual > Number.NEGATIVE_INFINITY || upper.residual < Number.POSITIVE_INFINITY) return null;
  const n = nCalibration[label];
  const { one, both } = residualsNeeded(alpha, rule);
  const most = percent(Number((n / (n + 1)).toFixed(3)));
  return (
    `Label ${label} has too few calibration points for ${percent(1 - alpha)}. Its ${n} points can ` +
    `promise at most ${n}/${n + 1} = ${most}, so its interval is everything from 0 to 1. One limit ` +
    `appears from α = ${firstAlpha[label]}, or with ${one} points; two limits at α = ` +
    `${sixDigits(alpha)} take ${both} points.`
  );
}

const sixDigits = (value: number) => String(Number(value.toPrecision(6)));
const percent = (share: number) => `${sixDigits(100 * share)} %`;
