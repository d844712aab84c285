// The texts on a plot.

import { limitsText, percent, range, rate, significance, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import type { Confusion, Label, OperatingPoint } from "../evaluation/types.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import type { Comparators } from "../wire/decode_comparators.ts";
import { nounOf } from "./one_evaluation.ts";
import { plain, type Run, strong, TONES, type Tone } from "./runs.ts";

export interface AucNumbers {
  alpha: number;
  auc: number;
  /** Where the AUC in the population lies, if that is known. */
  delong: Comparators["delong"];
}

export function aucLines({ auc, delong, alpha }: AucNumbers): Run[][] {
  if (delong === null) return [[strong(`AUC ${rate(auc)}`)]];
  const at = delong.alpha === alpha ? "" : ` (α ${significance(delong.alpha)})`;
  return [
    [strong(`AUC ${rate(auc)}`)],
    [plain(`population, DeLong ${range(...delong.range)}${at}`, "muted")],
  ];
}

export function pointLines(
  point: Omit<OperatingPoint, keyof Confusion | "youden" | "precision">,
  sides: Pair<Sides>,
  threshold: number,
): Run[][] {
  const limits = (label: Label, lower: number, upper: number, tone: Tone) =>
    plain(` ${limitsText(lower, upper, sides[label])}`, tone);
  return [
    [strong(`λ ${thresholdText(threshold)}`)],
    [strong(`TPR ${rate(point.tpr)}`, "label1"), limits(1, point.tprLower, point.tprUpper, "label1")],
    [strong(`FPR ${rate(point.fpr)}`, "label0"), limits(0, point.fprLower, point.fprUpper, "label0")],
  ];
}

export const CLASSIFIER_LINES: Run[][] = [[strong("this classifier")]];

/** A band that is alone says what it holds. */
export function bandLines(label: Label, alpha: number, isOnly: boolean, model: string): Run[][] {
  const level = percent(1 - alpha);
  if (!isOnly) return [[strong(`${level} band, ${nounOf(label)}`, TONES[label])]];
  return [
    [strong(`${level} conformal band`, TONES[label])],
    [plain(`${model}’s ${nounOf(label)}`, "muted")],
    [plain("at the same threshold", "muted")],
  ];
}

/** A hatched side says that it has no limit, and how many points one needs. */
export const missingCaption = ([fact, need]: readonly [string, string], label: Label): Run[][] => [
  [strong(fact, TONES[label])],
  [plain(need, "muted")],
];

export const comparatorLines = (name: string, of: string, tone: Tone): Run[][] => [
  [strong(name, tone)],
  [plain(of, "muted")],
];
