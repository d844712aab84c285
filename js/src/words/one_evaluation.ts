// Writes texts about one evaluation.

import { limitsText, percent, rate, significance, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { type Rate, rateAt } from "../evaluation/metrics.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import { type Evaluation, type Frame, LABELS, type Label } from "../evaluation/types.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import type { Picture } from "../shown/picture.ts";
import type { BandKind } from "../wire/controls.ts";
import { TONES, type Tone } from "./runs.ts";

const NOUNS: Pair<string> = [words("rate.specificity"), words("rate.sensitivity")];

/** Returns the labels whose limits a band shows. Label 1 has limits of the sensitivity, label 0 of the specificity. */
export function labelsOf(band: BandKind): Label[] {
  if (band === "both") return [1, 0];
  return band === "specificity" ? [0] : [1];
}

export const nounOf = (label: Label) => NOUNS[label];

/** Returns the user's name of a label. If it is a number or a truth value, "class" is put before it. */
export function className(label: Label, classes: Pair<string>): string {
  const name = classes[label];
  return isNumber(name) ? `class ${name}` : name;
}

/** Whether the name of a class is a number or a truth value, which cannot be used as an adjective. */
export const isNumber = (name: string) => /^(-?[\d.]+|True|False)$/.test(name);

export const confidence = (alpha: number) => `${percent(1 - alpha)} confidence`;

/** Returns the prevalence that the user has set or, if none is set, that of the test set. */
export const prevalenceOf = ({ evaluation, prevalence }: Picture) => prevalence ?? ownPrevalence(evaluation);

export const positiveName = ({ evaluation }: Picture) => className(1, evaluation.classes) || "positive";

/** Returns the sensitivity (label 1) or the specificity (label 0) at the operating point, with its limits. */
export const rateOf = (label: Label, frame: Frame): Rate & { noun: string; tone: Tone } => ({
  ...rateAt(label, frame, frame.point),
  noun: nounOf(label),
  tone: TONES[label],
});

/** Writes a share. Only 0 reads "0 %", and only 1 reads "100 %". */
export function shareText(share: number): string {
  if (share > 0 && share < 0.001) return "less than 0.1 %";
  return share < 1 && share > 0.999 ? "more than 99.9 %" : percent(Math.round(1000 * share) / 1000);
}

/**
 * If the limits of a label come from more than one pair of order statistics, writes the text for its strip of
 * residuals.
 */
export function localWords({ local, kind }: Frame, label: Label): string {
  if (kind === "everywhere") return "every rank has its part in the limits";
  const share = local?.vacuousShare[label] ?? 0;
  const without = share > 0 ? `; ${shareText(share)} without limits` : "";
  return `a pair for each test point${without}`;
}

/** If more than this share of the test points is far from the calibration data, the page says so. */
const FAR = 0.05;

/** Writes how many test points are far from the calibration data. Empty if there are few. */
export function reach({ support, classes }: Evaluation, { local }: Frame): string {
  const parts: string[] = [];
  if (support && support.share > FAR) {
    const share = `${support.about ? "about " : ""}${shareText(support.share)}`;
    parts.push(words("note.far", { share }));
  }
  for (const label of LABELS) {
    const share = local?.vacuousShare[label] ?? 0;
    if (share > 0)
      parts.push(`${shareText(share)} of the points of ${className(label, classes)} have no limits`);
  }
  return parts.join("; ");
}

export const alphaValueText = (alpha: number) => `${confidence(alpha)}, α ${significance(alpha)}`;

export function pointValueText(frame: Frame): string {
  const { tpr, tprLower, tprUpper, fpr, fprLower, fprUpper } = frame.point;
  return [
    `threshold ${thresholdText(frame.threshold)}`,
    `${words("rate.tpr")} ${rate(tpr)}, ${limitsText(tprLower, tprUpper, sidesOf(frame, 1))}`,
    `${words("rate.fpr")} ${rate(fpr)}, ${limitsText(fprLower, fprUpper, sidesOf(frame, 0))}`,
  ].join("; ");
}
