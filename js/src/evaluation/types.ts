// An evaluation and what it gives at one alpha and threshold, as the whole page reads them.

import type { Pair } from "../base/pair.ts";
import type { Losses } from "./losses.ts";
import type { SampledArea } from "./sampled_area.ts";
import type { Ends } from "./sorted_sample.ts";

/** Number of a class: 1 is the second one, the positive. */
export type Label = 0 | 1;
export const LABELS: readonly Label[] = [1, 0];

/** A label of the user, as a key of Python. */
export type Json = null | boolean | number | string | Json[];
/** Rates of one label: a threshold can be tested for them on the page. */
export const KEPT_RATES = ["sensitivity", "specificity"] as const;

/** A rate that is to be at least so high in the population. */
export interface PopulationWish {
  rate: (typeof KEPT_RATES)[number];
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

/** Ascending numbers, `n` of them: all, or as many as `values` holds, at evenly spaced ranks. */
export interface Sorted<T = Float64Array> {
  n: number;
  values: T;
  /** All of them, each value with how many numbers stand before it, where `values` are at ranks and the page knows all. */
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

/** The words of a promise, as promise.py makes them; as they come, with the place "{confidence}". */
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
  /** In the place of `after` where a line has little room. */
  dense: string;
  rest: string;
  /** How a threshold has to be chosen for it: also by looking, without a look at the test points, before they were there. */
  chosen: (typeof CHOSEN)[number];
}
export const CHOSEN = ["any", "blindly", "beforehand"] as const;

/** What limits are promised for; see promise.py. */
export const PROMISES = [
  "individual",
  "curve",
  "simultaneous",
  "everywhere",
  "credible",
  "sampling",
  "none",
] as const;

export interface Promised extends Words {
  kind: (typeof PROMISES)[number];
  /** The model whose curve the limits bound; from scores alone that is an ideal recalibration. */
  model: ModelKey;
}
export const MODELS = ["ideal_model", "recalibration", "classifier"] as const;
export type ModelKey = (typeof MODELS)[number];

/** What bounds a label's rate at every threshold at once. */
export interface Envelope {
  /** Calibration residuals at the ranks that the envelope bounds. */
  residuals: Float64Array;
  /** How many standard deviations it is wide, at ALPHA_STOPS. */
  critical: Float64Array;
  /** As how many test points the label counts where rows stand for lost ones; null where it counts them. */
  points: number | null;
  /** How many points more its limits of counts get. */
  more: number;
  /** Between which thresholds limits are promised; null for all of them. */
  within: Pair<number> | null;
}

/** Bounds at one alpha: the lower one holds from the last of its scores on, the upper one up to the first. */
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
  /** Rows that reach each vertex, whatever they weigh. */
  people: Counts;
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
  /** What counts are shares of: test points, or units of their weights. */
  nTest: Pair<number>;
  /** Test points, whatever they weigh. */
  nRows: Pair<number>;
  /** What a unit weighs; 1 where test points have no weights. */
  unit: number;
  nCalibration: Pair<number>;
  /** These are numbers of people. */
  countsPeople: boolean;
  /** With calibration='cross' more rows would calibrate. */
  crossable: boolean;
  /** What to choose for limits at every threshold at once, as Python writes it; empty where nothing helps. */
  remedy: string;
  /** `RocEvaluation.from_residuals` makes it again, with the same promise and notes, from what the page holds. */
  remade: boolean;
  /** Whether the scores are squeezed margins and no probabilities. */
  margins: boolean;
  /** The kernel knows the test points one by one. */
  selectable: boolean;
  /** Test rows have weights, or several belong to one person: bounds that count independent rows, as those of the reliability, are none. */
  weighted: boolean;
  /** Null where outcomes have no time. */
  followed: Followed | null;
  auc: number;
  /** Null where test rows do not count alike, and where a label has one. */
  area: SampledArea | null;
  /** Brier score and log loss; null of a table, and where rows stand for others that were lost from sight. */
  losses: Losses | null;
  rule: Rule;
  words: Promised;
  /** Limits are those of an ideal recalibration, at every threshold at once. */
  simultaneous: boolean;
  /** At an alpha below this a label has no limits. */
  vacuousBelow: Pair<number>;
  notes: Note[];
  /** The same under the other promise; null where there is one alone. */
  other: Pick<Evaluation, "words" | "vacuousBelow" | "notes" | "curves"> | null;
  /** By label; null where there is no promise for every threshold at once. */
  envelope: Pair<Envelope> | null;
  /** Share of the test points at which the reference extrapolates. */
  supportShare: number | null;
  /** `supportShare` is estimated from some of the points. */
  supportAbout: boolean;
  /** The vertices are some of the curve's. */
  simplified: boolean;
  /** Every array is complete, so the page's numbers are exact. */
  whole: boolean;
  /** Thresholds of the drawn vertices, descending, the first is +Infinity. */
  thresholds: Float64Array;
  logits: Float64Array;
  falsePositives: Float64Array;
  truePositives: Float64Array;
  fpr: Float64Array;
  tpr: Float64Array;
  /** Where simplified: counts of p >= 1.000, 0.999, ..., 0.000. */
  grid: Counts | null;
  /** Null where rows have weights or several belong to one person, and until the kernel has computed it. */
  reliability: Reliability | null;
  /** Logits that the intervals lie around; null where the page cannot compute them. */
  centres: Pair<Sorted> | null;
  /** Scores and residuals are empty where the page has curves alone. */
  scores: Pair<Sorted<Float32Array>>;
  residuals: Pair<Residuals>;
  /** By label, where calibration rows do not count alike; null where ranks tell the order statistics. */
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
  /** What a cross-validation has of all folds together. */
  folds: Folds | null;
  /** Under another promise than the one it came with. */
  isSwitched?: boolean;
}

/** The curve of all folds' scores together, and the mean of their areas, which rows with weights have not. */
export interface Folds {
  pooled: { x: Float64Array; y: Float64Array };
  auc: number;
  mean: number | null;
  /** Limits of the mean area at each alpha of the slider. */
  limits: Pair<ArrayLike<number>> | null;
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
  /** Null where nothing is called positive. */
  precision: number | null;
}

/** A residual, which may be infinite, and its rank among the calibration residuals of its label. */
export interface OrderStatistic {
  /** Null where calibration rows do not count alike, so that no rank tells it. */
  rank: number | null;
  residual: number;
}

/** Limits of both bands at the vertices of the evaluation, as rates. */
export type Limits = Record<keyof RateLimits, Float64Array>;

/** The findings at one alpha, apart from the curves. */
export interface Findings {
  /** The order statistics of each label; null where every test point has its own. */
  orderStatistics: Pair<Pair<OrderStatistic>> | null;
  guaranteed: Pair<number>;
  /**
   * Where every test point has its own interval: the share of a label's that are everything from 0 to 1, and whether
   * all of them lack a lower, an upper end.
   */
  local: { vacuousShare: Pair<number>; missing: Pair<Pair<boolean>> } | null;
  /** Sentences on the limits at this alpha. */
  notes: string[];
}

/** Findings with what is promised. */
export type Statement = Findings & Promised;

/** One evaluation at one setting of the sliders. */
export interface Frame extends Statement {
  alpha: number;
  threshold: number;
  auc: Pair<number>;
  point: OperatingPoint;
  limits: Limits;
  /** At the alpha of an answer of the kernel, which sends it in the view of it. */
  reliability: Reliability | null;
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

/** The ends of all intervals, by label. */
export interface Frozen extends Ahead {
  lower: Pair<Ends>;
  upper: Pair<Ends>;
}
