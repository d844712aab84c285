// A figure of this classifier with limits for its population: one form for all figures; its twin is estimate.py.

import { expit, logit } from "../base/logit.ts";
import { deviations } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { exactLimits } from "./exact_limits.ts";
import { FIRST_LOOK, farAtAnyLook, type Looks } from "./looks.ts";

/** The variance (0 if unknown) and the number of independent rows, from which limits at any alpha are made. */
export interface Spread {
  variance: number;
  rows: number;
}

/** A figure. On the scale "share" its limits are binomial, for that many rows; on the other scales they are normal. */
export interface Estimate extends Spread {
  value: number;
  scale: "share" | "logit" | "log";
}

/** Limits, between which the value itself is; at any look those of an area alone, from FIRST_LOOK rows of each label on. */
export function limitsOf(estimate: Estimate, alpha: number, looks: Looks = "once"): Pair<number> {
  const [low, high] = ends(estimate, alpha, looks === "any");
  return [Math.min(low, estimate.value), Math.max(high, estimate.value)];
}

function ends({ value, variance, rows, scale }: Estimate, alpha: number, isAny: boolean): Pair<number> {
  if (isAny && rows < FIRST_LOOK) return [0, 1];
  if (scale === "share") return exactLimits(value * rows, rows, alpha);
  if (scale === "log" && variance === 0) return [value === Infinity ? value : 0, Infinity];
  // The looks share alpha: the sum of 1 / k² is π² / 6.
  const part = isAny ? 6 / (Math.PI * (rows - FIRST_LOOK + 1)) ** 2 : 1;
  if (variance === 0) return limitsByRows(value, rows, alpha * part);
  const half = (isAny ? farAtAnyLook(alpha, rows) : deviations(alpha)) * Math.sqrt(variance);
  if (scale === "log") return [value * Math.exp(-half / value), value * Math.exp(half / value)];
  const [centre, stretched] = [logit(value), half / (value * (1 - value))];
  return [expit(centre - stretched), expit(centre + stretched)];
}

/** Limits from rows alone: Clopper and Pearson's if all pairs are in order, or none is; else Hoeffding's. */
function limitsByRows(value: number, rows: number, alpha: number): Pair<number> {
  if (rows === 0) return [0, 1];
  const each = Math.log(alpha / 2) / rows;
  if (value === 1) return [Math.max(1 + Math.expm1(each), 0), 1];
  if (value === 0) return [0, -Math.expm1(each)];
  const half = Math.sqrt(-each / 2);
  return [Math.max(value - half, 0), Math.min(value + half, 1)];
}

/** Limits of an area. */
export const areaLimits = (value: number, spread: Spread, alpha: number, looks: Looks = "once") =>
  limitsOf({ value, ...spread, scale: "logit" }, alpha, looks);

/** Limits of a mean that varies as the share of so many rows does; of no rows, from 0 to 1. */
export const limitsOfMean = (value: number, rows: number, alpha: number) =>
  limitsOf({ value, variance: 0, rows, scale: "share" }, alpha);

/** A mean loss: the Brier score or the log loss. */
export interface MeanLoss extends Estimate {
  name: string;
  /** Whether one row makes a large share of the variance. */
  isHeavy: boolean;
}
export type Losses = Pair<MeanLoss>;

/** If the relative standard error of a mean is larger than this, a few rows make most of it. */
const LARGEST_ERROR = 20 ** -0.5;

/** The share of the variance that is much. */
const LARGEST_SHARE = 0.3;

type Numbers = Pick<MeanLoss, "value" | "variance" | "isHeavy">;

/** Brier score and log loss. */
export const lossesOf = (brier: Numbers, logLoss: Numbers): Losses => [
  { ...brier, name: words("loss.brier_score"), rows: 0, scale: "logit" },
  { ...logLoss, name: words("loss.log_loss"), rows: 0, scale: "log" },
];

/** A note where there are no limits, or where few rows make them; else empty. */
export function lossNote({ name, value, variance, isHeavy }: MeanLoss): string {
  if (value === Infinity) return words("loss.infinite", { name });
  if (variance === 0) return words("loss.no_variance", { name });
  const error = Math.sqrt(variance) / value;
  if (error > LARGEST_ERROR) return words("loss.few", { name, error });
  return isHeavy ? words("loss.heavy", { name, share: LARGEST_SHARE }) : "";
}
