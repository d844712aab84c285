// Declares the types of an evaluation and of its results at one alpha and threshold.

import { kinds, models } from "../../../conformal_roc_widget/promises.json";
import type { Pair } from "../base/pair.ts";
import type { Losses, Spread } from "./estimate.ts";
import type { Ends } from "./sorted_sample.ts";

/** A class by its number: 0 is the negative class, 1 the positive. */
export type Label = 0 | 1;
export const LABELS: readonly Label[] = [1, 0];

/** A label or name that the user gave in Python, such as True, 1 or "benign". */
export type Json = null | boolean | number | string | Json[];
/** Rates for which the user can set a goal. Python's `threshold_for` uses the same names. */
export const GOAL_RATES = ["sensitivity", "specificity", "precision", "npv", "accuracy"] as const;
export type GoalRate = (typeof GOAL_RATES)[number];

/** A goal: the rate in the population must be at least `least`. */
export interface PopulationWish {
  rate: GoalRate;
  least: number;
}

export const WEIGHTS = ["size", "uniform"] as const;
export type Weights = (typeof WEIGHTS)[number];
export const RULES = ["paper", "split"] as const;
export type Rule = (typeof RULES)[number];
export const KINDS = [
  "single",
  "classes",
  "classifiers",
  "bands",
  "populations",
  "folds",
  "samples",
  "horizons",
] as const;

/** `n` numbers in ascending order. `values` contains all of them, or only those at evenly spaced ranks. */
export interface Sorted<T = Float64Array> {
  n: number;
  values: T;
  /** All numbers as distinct values and their counts, if the page knows them although `values` does not contain all. */
  counted?: Counted;
}

/**
 * Numbers, given as their distinct `values` in ascending order. `before[i]` is how many of the numbers are
 * smaller than `values[i]`. The last element of `before` is the number of all these numbers.
 */
export interface Counted {
  values: Float64Array;
  before: Float64Array;
}

/**
 * Calibration residuals of a label. If only some are sent, `stops` contains the lower and the upper order statistic at
 * each of ALPHA_STOPS.
 */
export interface Residuals extends Sorted {
  stops: Float64Array | null;
}

/**
 * Only if residuals have weights: both order statistics at each of ALPHA_STOPS (`stops`), and the coverage
 * that they guarantee.
 */
export interface Unranked {
  stops: Float64Array;
  guaranteed: Float64Array;
}

/** The words of a guarantee, which promise.py writes. They contain "{confidence}" until the confidence is filled in. */
export interface Words {
  target: string;
  scope: string;
  guarantee: string;
  line: PromiseLine;
}

/**
 * A guarantee in one sentence: `{level} for {scope}{after}{rest}.` If the scope is empty, the level is the whole
 * sentence.
 */
export interface PromiseLine {
  level: string;
  scope: string;
  after: string;
  rest: string;
  /**
   * How the user may choose the threshold: after looking at the curve ("any"), without looking at the test points
   * ("blindly"), or before they existed ("beforehand").
   */
  chosen: (typeof CHOSEN)[number];
  /** The assumptions of the guarantee in at most ten words. They can replace `after` and `rest`. */
  condition: string;
}
export const CHOSEN = ["any", "blindly", "beforehand"] as const;

/** The kinds of guarantees, which differ in the thresholds or curves that they cover. See promise.py. */
export const PROMISES = Object.keys(kinds) as (keyof typeof kinds)[];

export interface Promised extends Words {
  kind: (typeof PROMISES)[number];
  /**
   * The model whose ROC curve the limits are for. From scores alone it is an ideal recalibration, which replaces each
   * score by P(y = 1 | score).
   */
  model: ModelKey;
}
export const MODELS = Object.keys(models) as (keyof typeof models)[];
export type ModelKey = (typeof MODELS)[number];

/** The numbers from which a label's limits at every threshold at once are computed. */
export interface Envelope {
  /** The calibration residuals at those ranks that have a bound. */
  residuals: Float64Array;
  /** The distance of the bounds from the mean, in standard deviations, at each of ALPHA_STOPS. */
  critical: Float64Array;
  /**
   * Effective sample size of the label's test rows. If some rows stand for others that were lost, it is less than their
   * number.
   */
  points: number;
  /** Added to each bound on a count of test rows, which widens the limits. */
  more: number;
  /** The limits are guaranteed at thresholds between these two. */
  within: Pair<number>;
}

/**
 * Bounds of P(y = 1 | score) at one alpha, for each range of scores. A lower bound also holds at all higher scores, an
 * upper bound at all lower scores.
 */
export interface ReliabilityStop {
  alpha: number;
  lower: Float64Array;
  upper: Float64Array;
}

/**
 * Neighbouring ranges of scores in ascending order, from `first` to `last`. A bound or the isotonic regression changes
 * only between two ranges.
 */
export interface Ranges {
  first: Float64Array;
  last: Float64Array;
  isotonic: Float64Array;
}

/** Bounds of P(y = 1 | score) at several alphas in ascending order. */
export interface Reliability extends Ranges {
  stops: ReliabilityStop[];
}

/** Facts on a horizon. A row is positive if its event happens by the horizon. */
export interface Followed {
  horizon: number;
  /** The unit of time. It may be empty. */
  unit: string;
  /** The number of rows that were lost before the horizon. */
  unknown: number;
}

/** A note on the data in three parts: fact, reason or consequence, and remedy. The last two may be empty. */
export interface Note {
  fact: string;
  reason: string;
  remedy: string;
}

/** The parts of an evaluation that do not depend on alpha. In a pair, index 0 is label 0 and index 1 is label 1. */
export interface Evaluation {
  /** The evaluation's name in the group, as the user gave it. Null for a single evaluation. */
  key: Json;
  name: string;
  classes: Pair<string>;
  /**
   * The number of test points of each label. Rates are counts divided by this number. If rows have weights,
   * it is the sum of the weights divided by `unit`.
   */
  nTest: Pair<number>;
  /** The number of test points of each label, without weights. */
  nRows: Pair<number>;
  /** The weight that counts as one row. It is 1 if test rows have no weights. */
  unit: number;
  nCalibration: Pair<number>;
  /** Whether `nCalibration` counts people instead of rows. */
  countsPeople: boolean;
  /** Whether calibration="cross" would give more calibration rows. */
  crossable: boolean;
  /**
   * Whether `RocEvaluation.from_residuals` can rebuild this evaluation, with its guarantee and notes, from the numbers
   * on the page.
   */
  remade: boolean;
  /**
   * Whether the scores are margins (distances from a decision boundary) that were mapped into [0, 1], and so are not
   * probabilities.
   */
  margins: boolean;
  /** Whether some scores are outside [0, 1]. Such scores are not probabilities, and only their order matters. */
  anySize: boolean;
  /**
   * Null if rows have labels. Otherwise `told` is the share of positives that the user gave (null: the share among
   * labelled rows is used), and `came` is the number of labels that have arrived so far.
   */
  unlabelled: { told: number | null; came: number } | null;
  /** Whether the kernel can select test points, because it knows each of them. */
  selectable: boolean;
  /**
   * Whether test rows have weights, or one person has several rows. If so, results that need independent rows are
   * missing, such as bounds of P(y = 1 | score).
   */
  weighted: boolean;
  /** Whether limits at every look are impossible for these rows, for example because they have weights. */
  noLooks: boolean;
  /** Facts on the horizon. Null if outcomes have no time. */
  followed: Followed | null;
  auc: number;
  /**
   * The numbers from which the area's limits are computed. Null if scores are known only as counts in bins, or if a
   * label has a single row or person.
   */
  area: Spread | null;
  /**
   * Only if test rows have weights or groups: the numbers from which limits of rates, precision and net benefit are
   * computed, as consecutive arrays. See settled.ts.
   */
  settled: Float64Array | null;
  /** Effective sample size of the average precision. Null if scores are known only as counts in bins. */
  precisionRows: number | null;
  /**
   * Brier score and log loss. Null if scores are known only as counts in bins, or if rows stand for others that were
   * lost.
   */
  losses: Losses | null;
  rule: Rule;
  words: Promised;
  /** Whether the limits are for an ideal recalibration, and hold at every threshold at once. */
  simultaneous: boolean;
  /** For each label, the alpha below which its rate has no limits. */
  vacuousBelow: Pair<number>;
  notes: Note[];
  /** For each other guarantee that this evaluation can have, the fields that differ. */
  others: Pick<Evaluation, "words" | "vacuousBelow" | "notes" | "curves" | "frozen">[];
  /**
   * For each label, the numbers from which limits at every threshold at once are computed. Null if the evaluation has
   * no such limits.
   */
  envelope: Pair<Envelope> | null;
  /**
   * Share of the test points at which the reference (the estimate of the true risks) extrapolates. If `about`
   * is true, the share was computed from only some of the points.
   */
  support: { share: number; about: boolean } | null;
  /** Whether some vertices of the curve were left out. */
  simplified: boolean;
  /** Whether every array was sent in full. If so, the page's numbers are exact. */
  whole: boolean;
  /** Thresholds of the drawn vertices in descending order. The first is +Infinity. */
  thresholds: Float64Array;
  logits: Float64Array;
  falsePositives: Float64Array;
  truePositives: Float64Array;
  /**
   * For each label, the number of rows at or above the threshold of each vertex. Each row counts once, whatever its
   * weight. Null if rows have equal weight.
   */
  called: Counts | null;
  fpr: Float64Array;
  tpr: Float64Array;
  /** Only if the curve is simplified: the number of scores that are at least 1.000, 0.999, ..., 0.000. */
  grid: Counts | null;
  /** Bounds of P(y = 1 | score). Null if rows have weights or groups, and until the kernel has computed them. */
  reliability: Reliability | null;
  /**
   * For each label, the centres of the test points' intervals: their logits, to which residuals are added. Null if the
   * page cannot compute intervals.
   */
  centres: Pair<Sorted> | null;
  /** Scores of each label. If the page knows limits at the vertices only (`curves`), scores and residuals are empty. */
  scores: Pair<Sorted<Float32Array>>;
  residuals: Pair<Residuals>;
  /**
   * For each label, order statistics of the residuals of weighted calibration rows. Null if ranks determine the order
   * statistics.
   */
  unranked: Pair<Unranked> | null;
  frozen: Frozen[] | null;
  curves: Curve[] | null;
}

/**
 * One evaluation, or several: each class against the rest, classifiers on one test set, bands around one curve,
 * populations of one classifier, folds, or horizons.
 */
export interface Group {
  kind: (typeof KINDS)[number];
  /** The name of a single evaluation. Empty if it has none. */
  title?: string;
  entries: Evaluation[];
  /** Results of a cross-validation over all folds. Null for other groups. */
  folds: Folds | null;
  /**
   * Only for classes: for each weighting of the classes, the numbers from which the limits of their mean area are
   * computed. A weighting without limits is missing.
   */
  means?: Partial<Record<Weights, Spread>>;
  /**
   * Only for classes: for each weighting and label, the effective sample size of the mean rate at each hundredth of the
   * threshold.
   */
  rates?: Partial<Record<Weights, Pair<ArrayLike<number>>>>;
  /** The guarantee of this classifier's limits for all classes or folds together. */
  together?: Promised | null;
}

/** The ROC curve of all folds' scores together (`pooled`) with its area (`auc`), and the mean of the folds' areas. */
export interface Folds {
  pooled: { x: Float64Array; y: Float64Array };
  auc: number;
  mean: number;
  /** Limits of the mean area at each of ALPHA_STOPS. */
  limits: Pair<ArrayLike<number>>;
  method: string;
}

export type Vertices = Pick<Evaluation, "thresholds" | "falsePositives" | "truePositives">;

export interface Counts {
  fp: Float64Array;
  tp: Float64Array;
}

export interface Confusion {
  tp: number;
  fp: number;
  tn: number;
  fn: number;
}

/** Limits of the true and of the false positive rate at one threshold. */
export interface RateLimits {
  fprLower: number;
  fprUpper: number;
  tprLower: number;
  tprUpper: number;
}

/** Counts and rates at one threshold, with the limits of both rates. */
export interface OperatingPoint extends Confusion, RateLimits {
  tpr: number;
  fpr: number;
  youden: number;
  /** The share of positives among the rows predicted positive. Null if there are none. */
  precision: number | null;
}

/** A residual, which may be infinite, and its rank among the calibration residuals of its label. */
export interface OrderStatistic {
  /** Null if calibration rows have weights. */
  rank: number | null;
  residual: number;
}

/** Limits of both rates at each vertex of the evaluation's curve. */
export type Limits = Record<keyof RateLimits, Float64Array>;

/** The results at one alpha, except the limits at the vertices. */
export interface Findings {
  /** The lower and the upper order statistic for each label. Null if every test point has its own. */
  orderStatistics: Pair<Pair<OrderStatistic>> | null;
  guaranteed: Pair<number>;
  /**
   * Only if every test point has its own order statistics. For each label: the share of intervals from 0 to 1, and
   * whether all intervals lack a lower end and an upper end.
   */
  local: { vacuousShare: Pair<number>; missing: Pair<Pair<boolean>> } | null;
  /** Notes on the limits at this alpha. */
  notes: string[];
}

/** Findings and the guarantee of their limits. */
export type Statement = Findings & Promised;

/** All results of an evaluation at one alpha and one threshold. */
export interface Frame extends Statement {
  alpha: number;
  threshold: number;
  auc: Pair<number>;
  point: OperatingPoint;
  limits: Limits;
  /**
   * Bounds of P(y = 1 | score) at exactly this alpha. The kernel sends them while the user looks at the calibration
   * view.
   */
  reliability: Reliability | null;
  /** Limits of the folds' mean area at exactly this alpha. Null or missing if the kernel has not sent them. */
  mean?: Pair<number> | null;
}

/** Results that the kernel computed in advance at one alpha. */
export interface Ahead {
  alpha: number;
  statement: Findings;
  auc: Pair<number>;
}

/** Limits at one alpha that are known only at the vertices of the curve. */
export interface Curve extends Ahead {
  limits: Limits;
}

/** The ends of all intervals at one alpha, for each label. */
export interface Frozen extends Ahead {
  lower: Pair<Ends>;
  upper: Pair<Ends>;
}
