// Computes confidence limits for figures of this classifier in the population: rates, areas and losses. In Python:
// estimate.py.

import { expit, logit } from "../base/logit.ts";
import { deviations } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { exactLimits } from "./exact_limits.ts";
import { FIRST_LOOK, farAtAnyLook, type Looks } from "./looks.ts";

/**
 * The variance of a figure (0 if unknown), and the number of independent rows that the figure is computed
 * from. These two numbers give limits at any alpha.
 */
export interface Spread {
  variance: number;
  rows: number;
}

/**
 * A figure and the scale of its limits. On the scale "share", limits are binomial with `rows` trials. On the
 * scales "logit" and "log", limits are normal.
 */
export interface Estimate extends Spread {
  value: number;
  scale: "share" | "logit" | "log";
  /**
   * Only for a mean loss: three numbers that give a second upper limit. They are the largest possible loss,
   * and the successes and trials of a share. The share is the mean loss divided by the largest possible loss,
   * as if one more row were known.
   */
  oneMore?: readonly number[];
}

/**
 * Returns the limits of a figure at an alpha. They always contain the figure's value. Only an area has limits at every
 * look (`looks` is "any"), and only if each label has at least FIRST_LOOK rows.
 */
export function limitsOf(estimate: Estimate, alpha: number, looks: Looks = "once"): Pair<number> {
  const { value, oneMore: [largest = 0, k = 0, n = 0] = [] } = estimate;
  const [low, high] = ends(estimate, alpha, looks === "any");
  return [Math.min(low, value), Math.max(high, value, largest * exactLimits(k, n, alpha)[1])];
}

function ends({ value, variance, rows, scale }: Estimate, alpha: number, isAny: boolean): Pair<number> {
  if (isAny && rows < FIRST_LOOK) return [0, 1];
  if (scale === "share") return exactLimits(value * rows, rows, alpha);
  if (scale === "log" && variance === 0) return [value === Infinity ? value : 0, Infinity];
  // To hold at every look at growing data, limits use a part of alpha at each look. The k-th look gets a part
  // proportional to 1 / k². The sum of all 1 / k² is π² / 6.
  const part = isAny ? 6 / (Math.PI * (rows - FIRST_LOOK + 1)) ** 2 : 1;
  if (variance === 0) return limitsByRows(value, rows, alpha * part);
  const half = (isAny ? farAtAnyLook(alpha, rows) : deviations(alpha)) * Math.sqrt(variance);
  if (scale === "log") return [value * Math.exp(-half / value), value * Math.exp(half / value)];
  const [centre, stretched] = [logit(value), half / (value * (1 - value))];
  return [expit(centre - stretched), expit(centre + stretched)];
}

/**
 * Returns the limits of an area whose variance is unknown. The limits depend on the area and on the number of
 * rows. If all pairs are in order, or no pair is, they are Clopper and Pearson's limits. Otherwise they are
 * Hoeffding's.
 */
function limitsByRows(value: number, rows: number, alpha: number): Pair<number> {
  if (rows === 0) return [0, 1];
  const each = Math.log(alpha / 2) / rows;
  if (value === 1) return [Math.max(1 + Math.expm1(each), 0), 1];
  if (value === 0) return [0, -Math.expm1(each)];
  const half = Math.sqrt(-each / 2);
  return [Math.max(value - half, 0), Math.min(value + half, 1)];
}

/** Returns confidence limits of an AUC on the logit scale, at one look or at every look. */
export const areaLimits = (value: number, spread: Spread, alpha: number, looks: Looks = "once") =>
  limitsOf({ value, ...spread, scale: "logit" }, alpha, looks);

/**
 * Returns binomial limits of a mean between 0 and 1 whose effective sample size is `rows`. If `rows` is 0,
 * the limits are 0 and 1.
 */
export const limitsOfMean = (value: number, rows: number, alpha: number) =>
  limitsOf({ value, variance: 0, rows, scale: "share" }, alpha);

/** A mean loss: the Brier score or the log loss. */
export interface MeanLoss extends Estimate {
  name: string;
  /** Whether a single row makes more than LARGEST_SHARE of the variance. */
  isHeavy: boolean;
}
export type Losses = Pair<MeanLoss>;

/** If the relative standard error of a mean loss exceeds this, a note says that a few rows make most of the loss. */
const LARGEST_ERROR = 20 ** -0.5;

/** If one row makes more than this share of the variance, `isHeavy` is true. The note names the share. */
const LARGEST_SHARE = 0.3;

type Numbers = Pick<MeanLoss, "value" | "variance" | "isHeavy" | "oneMore">;

/** Returns both losses with their names and the scales of their limits. */
export const lossesOf = (brier: Numbers, logLoss: Numbers): Losses => [
  { ...brier, name: words("loss.brier_score"), rows: 0, scale: "logit" },
  { ...logLoss, name: words("loss.log_loss"), rows: 0, scale: "log" },
];

/** Returns a note if a loss has no limits, or if a few rows make most of it. Otherwise the note is empty. */
export function lossNote({ name, value, variance, isHeavy }: MeanLoss): string {
  if (value === Infinity) return words("loss.infinite", { name });
  if (variance === 0) return words("loss.no_variance", { name });
  const error = Math.sqrt(variance) / value;
  if (error > LARGEST_ERROR) return words("loss.few", { name, error });
  return isHeavy ? words("loss.heavy", { name, share: LARGEST_SHARE }) : "";
}
