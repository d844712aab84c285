// Texts about one evaluation.

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

/** The labels whose limits a band shows: label 1 bounds the sensitivity, label 0 the specificity. */
export function labelsOf(band: BandKind): Label[] {
  if (band === "both") return [1, 0];
  return band === "specificity" ? [0] : [1];
}

export const nounOf = (label: Label) => NOUNS[label];

/** The reader’s name of a label; a bare number or truth value needs its noun. */
export function className(label: Label, classes: Pair<string>): string {
  const name = classes[label];
  return isBare(name) ? `class ${name}` : name;
}

const isBare = (name: string) => /^(-?[\d.]+|True|False)$/.test(name);

export const confidence = (alpha: number) => `${percent(1 - alpha)} confidence`;

/** Prevalence where the classifier is used. */
export const prevalenceOf = ({ evaluation, prevalence }: Picture) => prevalence ?? ownPrevalence(evaluation);

export const positiveName = ({ evaluation }: Picture) => className(1, evaluation.classes) || "positive";

/** Sensitivity or specificity at the operating point, with its limits. */
export const rateOf = (label: Label, frame: Frame): Rate & { noun: string; tone: Tone } => ({
  ...rateAt(label, frame, frame.point),
  noun: nounOf(label),
  tone: TONES[label],
});

/** The share in words: "0 %" only if it is 0, and "100 %" only if it is all. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.001) return "less than 0.1 %";
  return share < 1 && share > 0.999 ? "more than 99.9 %" : percent(Math.round(1000 * share) / 1000);
}

/** Words in the strip of a label whose points have intervals of their own. */
export function localWords({ local, kind }: Frame, label: Label): string {
  if (kind === "everywhere") return "every rank has its part in the limits";
  const share = local?.vacuousShare[label] ?? 0;
  const without = share > 0 ? `; ${shareText(share)} without limits` : "";
  return `a pair for each test point${without}`;
}

/** If a larger share of the test points lies far from the calibration data, the page says so. */
const FAR = 0.05;

/** How far the test points reach beyond the calibration data; empty if there is nothing to say. */
export function reach({ supportShare, supportAbout, classes }: Evaluation, { local }: Frame): string {
  const parts: string[] = [];
  if (supportShare !== null && supportShare > FAR) {
    const share = `${supportAbout ? "about " : ""}${shareText(supportShare)}`;
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
