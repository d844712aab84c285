// The texts on a plot.

import { percent, range, rate, significance, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import type { Confusion, Label, OperatingPoint } from "../evaluation/types.ts";
import type { Comparators } from "../wire/decode_comparators.ts";
import { nounOf } from "./one_evaluation.ts";
import { plain, type Run, strong, TONES, type Tone } from "./runs.ts";

export interface AucNumbers {
  alpha: number;
  auc: number;
  /** null where the intervals say nothing about the AUC. */
  aucRange: Pair<number> | null;
  /** Where the AUC in the population lies, if that is known. */
  delong: Comparators["delong"];
}

export function aucLines({ auc, aucRange, delong, alpha }: AucNumbers): Run[][] {
  const ideal = aucRange
    ? plain(`ideal model ${range(...aucRange)}`, "label1")
    : plain("ideal model: no limits", "muted");
  if (delong === null) return [[strong(`AUC ${rate(auc)}`)], [ideal]];
  const at = delong.alpha === alpha ? "" : ` (α ${significance(delong.alpha)})`;
  return [
    [strong(`AUC ${rate(auc)}`)],
    [ideal],
    [plain(`population, DeLong ${range(...delong.range)}${at}`, "muted")],
  ];
}

export function pointLines(
  point: Omit<OperatingPoint, keyof Confusion | "youden" | "precision">,
  armless: Pair<boolean>,
  threshold: number,
): Run[][] {
  const limits = (label: Label, lower: number, upper: number, tone: Tone) =>
    plain(armless[label] ? " no limits" : ` ${range(lower, upper)}`, tone);
  return [
    [strong(`λ ${thresholdText(threshold)}`)],
    [strong(`TPR ${rate(point.tpr)}`, "label1"), limits(1, point.tprLower, point.tprUpper, "label1")],
    [strong(`FPR ${rate(point.fpr)}`, "label0"), limits(0, point.fprLower, point.fprUpper, "label0")],
  ];
}

export const CLASSIFIER_LINES: Run[][] = [[strong("this classifier")]];

/** A band that is alone says what it holds. */
export function bandLines(label: Label, alpha: number, isOnly: boolean): Run[][] {
  const level = percent(1 - alpha);
  if (!isOnly) return [[strong(`${level} band, ${nounOf(label)}`, TONES[label])]];
  return [
    [strong(`${level} conformal band`, TONES[label])],
    [plain(`an ideal model’s ${nounOf(label)}`, "muted")],
    [plain("at the same threshold", "muted")],
  ];
}

export const noLimitsLines = (label: Label): Run[][] => [
  [strong(`${nounOf(label)}: no limits`)],
  [plain("hatched, 0 to 1 everywhere", "muted")],
];

export const comparatorLines = (name: string, of: string, tone: Tone): Run[][] => [
  [strong(name, tone)],
  [plain(of, "muted")],
];
