// An evaluation and what it gives at one alpha and threshold, as the whole page reads them.

import { kinds, models } from "../../../conformal_roc_widget/promises.json";
import type { Pair } from "../base/pair.ts";
import type { Losses, Spread } from "./estimate.ts";
import type { Ends } from "./sorted_sample.ts";

/** Number of a class: 1 is the second one, the positive. */
export type Label = 0 | 1;
export const LABELS: readonly Label[] = [1, 0];

/** A label of the user, as a key of Python. */
export type Json = null | boolean | number | string | Json[];
/** Rates that can be a goal, as Python's `threshold_for` takes them. */
export const GOAL_RATES = ["sensitivity", "specificity", "precision", "npv", "accuracy"] as const;
export type GoalRate = (typeof GOAL_RATES)[number];

/** A rate that is to be at least so high in the population. */
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

/** `n` ascending numbers: `values` has all of them, or some at evenly spaced ranks. */
export interface Sorted<T = Float64Array> {
  n: number;
  values: T;
  /** All numbers by value, where the page knows them although `values` has some at ranks. */
  counted?: Counted;
}

/** Ascending values; how many numbers stand before each, and last how many there are. */
export interface Counted {
  values: Float64Array;
  before: Float64Array;
}

/** Calibration residuals of a label; where they are thinned, `stops` has the order statistics at ALPHA_STOPS. */
export interface Residuals extends Sorted {
  stops: Float64Array | null;
}

/** Both order statistics of residuals that do not count alike, and their coverage, at ALPHA_STOPS. */
export interface Unranked {
  stops: Float64Array;
  guaranteed: Float64Array;
}

/** The words of a promise, as promise.py makes them; until they are filled they hold the place "{confidence}". */
export interface Words {
  target: string;
  scope: string;
  guarantee: string;
  line: PromiseLine;
}

/** A promise in one sentence, `{level} for {scope}{after}{rest}.`; without a scope the level is all of it. */
export interface PromiseLine {
  level: string;
  scope: string;
  after: string;
  rest: string;
  /** How the threshold may be chosen: by looking ("any"), without a look at the test points ("blindly"), or before they were there ("beforehand"). */
  chosen: (typeof CHOSEN)[number];
  /** What the promise leans on in at most ten words, in place of `after` and `rest`. */
  condition: string;
}
export const CHOSEN = ["any", "blindly", "beforehand"] as const;

/** What limits are promised for; see promise.py. */
export const PROMISES = Object.keys(kinds) as (keyof typeof kinds)[];

export interface Promised extends Words {
  kind: (typeof PROMISES)[number];
  /** The model whose curve the limits bound; from scores alone that is an ideal recalibration. */
  model: ModelKey;
}
export const MODELS = Object.keys(models) as (keyof typeof models)[];
export type ModelKey = (typeof MODELS)[number];

/** What bounds a label's rate at every threshold at once. */
export interface Envelope {
  /** Calibration residuals at the ranks that the envelope bounds. */
  residuals: Float64Array;
  /** How many standard deviations its limits lie above the mean, at ALPHA_STOPS. */
  critical: Float64Array;
  /** Effective number of the label's test rows: fewer than there are, if they stand for lost ones. */
  points: number;
  /** The number of rows that limits of counts are widened by. */
  more: number;
  /** The thresholds between which limits are promised. */
  within: Pair<number>;
}

/** Bounds at one alpha, by range of scores: a lower bound holds from the end of its range on, an upper bound up to the start. */
export interface ReliabilityStop {
  alpha: number;
  lower: Float64Array;
  upper: Float64Array;
}

/** Ranges of neighbouring scores, ascending: those at which a bound or the isotonic regression steps. */
export interface Ranges {
  first: Float64Array;
  last: Float64Array;
  isotonic: Float64Array;
}

/** Bounds at some alphas, ascending. */
export interface Reliability extends Ranges {
  stops: ReliabilityStop[];
}

/** What is known of the test rows by a horizon: an event by then counts as positive. */
export interface Followed {
  horizon: number;
  /** Unit of the times; may be empty. */
  unit: string;
  /** Rows that were lost from sight before. */
  unknown: number;
}

/** A sentence on the data in its parts: what is so, why or what follows, and what to do; the last two may be empty. */
export interface Note {
  fact: string;
  reason: string;
  remedy: string;
}

/** One evaluation of a classifier: what does not depend on alpha. Index 0 is label 0, index 1 is label 1. */
export interface Evaluation {
  /** Its key in the group, a label of the user; null for a single evaluation. */
  key: Json;
  name: string;
  classes: Pair<string>;
  /** The denominators of rates: test points, or units of their weights. */
  nTest: Pair<number>;
  /** Number of test points, without weights. */
  nRows: Pair<number>;
  /** Weight of one unit of a count; 1 if test rows have no weights. */
  unit: number;
  nCalibration: Pair<number>;
  /** Whether `nCalibration` counts people. */
  countsPeople: boolean;
  /** Whether calibration='cross' would let more rows calibrate. */
  crossable: boolean;
  /** Whether `RocEvaluation.from_residuals` can rebuild it, with promise and notes, from the numbers in the page. */
  remade: boolean;
  /** Whether the scores are squeezed margins and no probabilities. */
  margins: boolean;
  /** Whether some scores lie outside [0, 1]. Such scores are not probabilities; only their order counts. */
  anySize: boolean;
  /** Null if rows have labels. Else `told` is the share of positives that the user gave (null: the labelled rows' share), and `came` the number of labels so far. */
  unlabelled: { told: number | null; came: number } | null;
  /** Whether the kernel knows the test points one by one, and can select them. */
  selectable: boolean;
  /** Whether test rows have weights, or one person has several rows. If so, there are no bounds for independent rows, such as the reliability's. */
  weighted: boolean;
  /** Whether no theory has limits that hold at every look as rows like these arrive. */
  noLooks: boolean;
  /** What the horizon adds; null if outcomes have no time. */
  followed: Followed | null;
  auc: number;
  /** What limits of the area are made of; null of a table, or where a label has one row or one person. */
  area: Spread | null;
  /** If test rows do not count alike: the numbers behind limits of rates, precision and net benefit, array after array. */
  settled: Float64Array | null;
  /** Effective rows of the average precision; null for a table. */
  precisionRows: number | null;
  /** Brier score and log loss; null of a table, and where rows stand for others that were lost from sight. */
  losses: Losses | null;
  rule: Rule;
  words: Promised;
  /** Whether limits are those of an ideal recalibration, at every threshold at once. */
  simultaneous: boolean;
  /** At an alpha below this a label has no limits. */
  vacuousBelow: Pair<number>;
  notes: Note[];
  /** What differs under each other promise that is offered. */
  others: Pick<Evaluation, "words" | "vacuousBelow" | "notes" | "curves" | "frozen">[];
  /** For each label the numbers behind limits at every threshold at once; null if that is not promised. */
  envelope: Pair<Envelope> | null;
  /** Share of the test points at which the reference extrapolates. */
  supportShare: number | null;
  /** Whether `supportShare` is an estimate from some of the points. */
  supportAbout: boolean;
  /** Whether some vertices of the curve were left out. */
  simplified: boolean;
  /** Whether every array is complete, so that the page's numbers are exact. */
  whole: boolean;
  /** Thresholds of the drawn vertices, descending, the first is +Infinity. */
  thresholds: Float64Array;
  logits: Float64Array;
  falsePositives: Float64Array;
  truePositives: Float64Array;
  /** Rows that reach each vertex, whatever they weigh; null if they count alike. */
  called: Counts | null;
  fpr: Float64Array;
  tpr: Float64Array;
  /** If simplified: how many scores are at least 1.000, 0.999, ..., 0.000. */
  grid: Counts | null;
  /** Bounds of the reliability; null if rows do not count alike, and until the kernel has computed them. */
  reliability: Reliability | null;
  /** The centres of the intervals, as logits; null if the page cannot compute intervals. */
  centres: Pair<Sorted> | null;
  /** Scores and residuals are empty if the page has only curves. */
  scores: Pair<Sorted<Float32Array>>;
  residuals: Pair<Residuals>;
  /** Order statistics by label, if calibration rows do not count alike; null if ranks tell them. */
  unranked: Pair<Unranked> | null;
  frozen: Frozen[] | null;
  curves: Curve[] | null;
}

/** One evaluation; or classes of a one-vs-rest set, classifiers on one test set, bands around one curve, populations of one classifier, or folds. */
export interface Group {
  kind: (typeof KINDS)[number];
  /** What the one evaluation is called; empty for no name. */
  title?: string;
  entries: Evaluation[];
  /** Figures of a cross-validation over all its folds; null for other groups. */
  folds: Folds | null;
  /** If entries are classes: for each weighting their mean area, and the numbers behind its limits if known. */
  means?: Partial<Record<Weights, Spread>>;
  /** If entries are classes: for each weighting of them, the effective rows of each label's mean rate at each hundredth of the threshold. */
  rates?: Partial<Record<Weights, Pair<ArrayLike<number>>>>;
  /** The promise of this classifier's limits for all classes or folds together. */
  together?: Promised | null;
}

/** The curve of all folds' scores together, and the mean of their areas. */
export interface Folds {
  pooled: { x: Float64Array; y: Float64Array };
  auc: number;
  mean: number;
  /** Limits of the mean area at each alpha of the slider. */
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

/** Limits of both rates at one threshold. */
export interface RateLimits {
  fprLower: number;
  fprUpper: number;
  tprLower: number;
  tprUpper: number;
}

/** Rates at one threshold, each with the limits of its interval. */
export interface OperatingPoint extends Confusion, RateLimits {
  tpr: number;
  fpr: number;
  youden: number;
  /** Share of right calls among the positive ones; null if nothing is called positive. */
  precision: number | null;
}

/** A residual, which may be infinite, and its rank among the calibration residuals of its label. */
export interface OrderStatistic {
  /** Its rank; null if calibration rows do not count alike. */
  rank: number | null;
  residual: number;
}

/** Limits of both bands at the vertices of the evaluation, as rates. */
export type Limits = Record<keyof RateLimits, Float64Array>;

/** The findings at one alpha, apart from the curves. */
export interface Findings {
  /** The order statistics of each label; null if every test point has its own. */
  orderStatistics: Pair<Pair<OrderStatistic>> | null;
  guaranteed: Pair<number>;
  /**
   * If every test point has its own interval: by label, the share that are everything from 0 to 1, and whether all
   * lack a lower end, an upper end.
   */
  local: { vacuousShare: Pair<number>; missing: Pair<Pair<boolean>> } | null;
  /** Sentences on the limits at this alpha. */
  notes: string[];
}

/** Findings, with the kind of the promise. */
export type Statement = Findings & Promised;

/** One evaluation at one setting of the sliders. */
export interface Frame extends Statement {
  alpha: number;
  threshold: number;
  auc: Pair<number>;
  point: OperatingPoint;
  limits: Limits;
  /** Bounds of the reliability at this very alpha, which the kernel sends while that view is open. */
  reliability: Reliability | null;
  /** Limits of the folds' mean area at this very alpha, where the kernel has sent them. */
  mean?: Pair<number> | null;
}

/** One of the alphas that were computed ahead. */
export interface Ahead {
  alpha: number;
  statement: Findings;
  auc: Pair<number>;
}

/** Limits at the vertices alone. */
export interface Curve extends Ahead {
  limits: Limits;
}

/** The ends of all intervals, by label. */
export interface Frozen extends Ahead {
  lower: Pair<Ends>;
  upper: Pair<Ends>;
}
