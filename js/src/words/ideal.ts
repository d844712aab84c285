// Texts about the ideal model's own curve.

import { count, percent, range, rate, thresholdText } from "../base/format.ts";
import { withConfidence } from "../evaluation/guarantee.ts";
import { type IdealCurve, idealLimits } from "../evaluation/ideal_curve.ts";
import type { Evaluation, OperatingPoint, Words } from "../evaluation/types.ts";
import { plain, type Run, strong } from "./runs.ts";

export const IDEAL_TITLE = "ROC curve and an ideal model’s";

export function idealSentence({ auc, nTest }: Evaluation, ideal: IdealCurve | string): Run[] {
  if (typeof ideal === "string")
    return [plain("No band for an ideal model’s own curve: "), plain(`${ideal}.`)];
  return [
    plain(`This classifier’s AUC on these ${count(nTest[0] + nTest[1])} test points is `),
    strong(rate(auc)),
    plain(". A model that knows the true probabilities would have an AUC "),
    strong(`from ${range(...ideal.auc)}`, "label1"),
    plain(" on a test set like this one: a gain of "),
    strong(range(...ideal.gain), "label1"),
    plain(` is left (${percent(1 - ideal.alpha)}, credible).`),
  ];
}

export function idealWords({ table, alpha }: IdealCurve): Words {
  const { target, scope, guarantee } = table.words;
  return { target, scope, guarantee: withConfidence(guarantee, alpha) };
}

export const idealCorner = (auc: number, ideal: IdealCurve): Run[][] => [
  [strong(`AUC ${rate(auc)}`)],
  [plain(`an ideal model ${range(...ideal.auc)}`, "label1")],
  [strong(`gain left ${range(...ideal.gain)}`, "label1")],
];

export const idealPointLines = (ideal: IdealCurve, point: OperatingPoint, threshold: number): Run[][] => [
  [strong(`λ ${thresholdText(threshold)}`)],
  [strong(`TPR ${rate(point.tpr)}`)],
  [strong(`ideal ${range(...idealLimits(ideal, point.fpr))}`, "label1")],
];

/** Where there is no such curve. */
export const observedPointLines = ({ tpr, fpr }: OperatingPoint, threshold: number): Run[][] => [
  [strong(`λ ${thresholdText(threshold)}`)],
  [strong(`TPR ${rate(tpr)}`, "label1")],
  [strong(`FPR ${rate(fpr)}`, "label0")],
];

export const idealCaption = (ideal: IdealCurve): Run[][] => [
  [strong("an ideal model’s own curve", "label1")],
  [plain("at each false positive rate: median, dashed,", "muted")],
  [plain(`and ${percent(1 - ideal.alpha)} band, from posterior draws`, "muted")],
];
