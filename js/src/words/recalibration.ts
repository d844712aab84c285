// Texts about an ideal recalibration of the score, whose limits hold at every threshold at once.

import { count, percent, range, rate, thresholdText } from "../base/format.ts";
import type { Evaluation, Frame, Label } from "../evaluation/types.ts";
import { plain, type Run, strong, TONES } from "./runs.ts";

/** The observed rates, and where those of an ideal recalibration would lie. */
export function recalibrationSentence({ nTest }: Evaluation, frame: Frame, labels: Label[]): Run[] {
  const { threshold, point } = frame;
  const rates = {
    1: { noun: "sensitivity", seen: point.tpr, lower: point.tprLower, upper: point.tprUpper },
    0: { noun: "specificity", seen: 1 - point.fpr, lower: 1 - point.fprUpper, upper: 1 - point.fprLower },
  };
  const between = labels.flatMap((label, i): Run[] => [
    plain(`${i > 0 ? " and" : ""} a ${rates[label].noun} `),
    strong(`between ${rate(rates[label].lower)} and ${rate(rates[label].upper)}`, TONES[label]),
  ]);
  const seen = labels.flatMap((label, i): Run[] => [
    plain(`${i > 0 ? " and its" : ", this score’s"} ${rates[label].noun}`),
    ...(i === 0 ? [plain(` on these ${count(nTest[0] + nTest[1])} test points is `)] : [plain(" ")]),
    strong(rate(rates[label].seen)),
  ]);
  return [
    plain(`At threshold ${thresholdText(threshold)}`),
    ...seen,
    plain(`. An ideal recalibration of this score, cut at ${thresholdText(threshold)}, would have`),
    ...between,
    plain(`; this holds at every threshold at once (${percent(1 - frame.alpha)}).`),
  ];
}

export const arcCaption = ({ threshold, alpha }: Frame): Run[][] => [
  [strong("an ideal recalibration,")],
  [plain(`cut at ${thresholdText(threshold)}, stands on`, "muted")],
  [plain(`this arc: ${percent(1 - alpha)}, at every`, "muted")],
  [plain("threshold at once", "muted")],
];

export const CURVE_CAPTION: Run[][] = [
  [strong("this score’s curve, observed")],
  [plain("recalibrating does not move it", "muted")],
];

export const arcCorner = ({ auc }: Evaluation, frame: Frame): Run[][] => [
  [strong(`AUC ${rate(auc)}`)],
  [plain(`with ties ${range(...frame.auc)}`, "muted")],
];
