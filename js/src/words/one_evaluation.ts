// Texts about one evaluation.

import { count, percent, range, rate, significance, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { type Evaluation, type Frame, LABELS, type Label, type OperatingPoint } from "../evaluation/types.ts";
import { hasLimits } from "../evaluation/vacuous.ts";
import type { BandKind } from "../wire/messages.ts";
import { plain, type Run, strong, TONES, unbroken } from "./runs.ts";

const NOUNS: Pair<string> = ["specificity", "sensitivity"];

/** The labels whose limits a band shows: label 1 bounds the sensitivity, label 0 the specificity. */
export function labelsOf(band: BandKind): Label[] {
  if (band === "both") return [1, 0];
  return band === "sensitivity" ? [1] : [0];
}

export const nounOf = (label: Label) => NOUNS[label];

export const labelName = (label: Label) => `Label ${label}`;

/** The user's name of a label, where that says more than its number. */
export function className(label: Label, classes: Pair<string>): string {
  return classes[label] === String(label) ? "" : classes[label];
}

export const confidence = (alpha: number) => `${percent(1 - alpha)} confidence`;

export function title(alpha: number, band: BandKind, short: boolean): string {
  const bands = band === "both" ? "bands" : "band";
  const level = percent(1 - alpha);
  return short ? `ROC curve, ${level} ${bands}` : `ROC curve with ${level} conformal ${bands}`;
}

/** Sensitivity or specificity at the operating point, with its limits. */
function rateOf(label: Label, point: OperatingPoint): { observed: number; lower: number; upper: number } {
  return label === 1
    ? { observed: point.tpr, lower: point.tprLower, upper: point.tprUpper }
    : { observed: 1 - point.fpr, lower: 1 - point.fprUpper, upper: 1 - point.fprLower };
}

/** All of it in words, true for what is drawn. */
export function sentence({ nTest }: Evaluation, frame: Frame, band: BandKind): Run[] {
  const labels = labelsOf(band);
  return [
    plain(`At threshold ${thresholdText(frame.threshold)}, this classifier’s ${nounOf(labels[0])} on these `),
    plain(`${count(nTest[0] + nTest[1])} test points is `),
    ...observed(labels, frame.point),
    plain(". "),
    ...ideal(labels, frame),
    plain("."),
    ...withoutIntervals(labels, frame),
  ];
}

/** Where points have intervals of their own, some may have none that says anything. */
function withoutIntervals(labels: Label[], { local }: Frame): Run[] {
  if (local === null) return [];
  const shares = labels
    .filter((label) => local.vacuousShare[label] > 0 && local.vacuousShare[label] < 1)
    .map((label) => `${shareText(local.vacuousShare[label])} of the points of label ${label}`);
  return shares.length > 0
    ? [plain(` The intervals of ${shares.join(" and ")} are everything from 0 to 1.`)]
    : [];
}

/** A share that is not nothing is not called 0 %, and one that is not all is not called 100 %. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.001) return "less than 0.1 %";
  return share < 1 && share > 0.999 ? "more than 99.9 %" : percent(Math.round(1000 * share) / 1000);
}

/** In the strip of a label whose points have intervals of their own. */
export function localWords({ local }: Frame, label: Label): string {
  const share = local?.vacuousShare[label] ?? 0;
  const without = share > 0 ? `; ${shareText(share)} without limits` : "";
  return `a pair for each test point${without}`;
}

/** Share of the test points that lie off the calibration data from which it is worth saying. */
const FAR = 0.05;

/** How far the test points reach beyond what the intervals lean on; empty where there is nothing to say. */
export function reach({ supportShare, supportAbout }: Evaluation, { local }: Frame): string {
  const words: string[] = [];
  if (supportShare !== null && supportShare > FAR) {
    const share = `${supportAbout ? "about " : ""}${shareText(supportShare)}`;
    words.push(`${share} of the test points lie far from the calibration data`);
  }
  for (const label of LABELS) {
    const share = local?.vacuousShare[label] ?? 0;
    if (share > 0) words.push(`${shareText(share)} of the points of label ${label} have no limits`);
  }
  return words.join("; ");
}

function observed([first, second]: Label[], point: OperatingPoint): Run[] {
  const runs = [strong(rate(rateOf(first, point).observed))];
  if (second === undefined) return runs;
  return [...runs, plain(` and its ${nounOf(second)} `), strong(rate(rateOf(second, point).observed))];
}

function ideal(labels: Label[], frame: Frame): Run[] {
  const bounded = labels.filter((label) => hasLimits(frame, label));
  const unbounded = labels.filter((label) => !hasLimits(frame, label));
  const level = [plain("With "), unbroken(confidence(frame.alpha))];
  if (bounded.length === 0) {
    const nouns = unbounded.map(nounOf).join(" and the ");
    return [
      ...level,
      plain(`, the ${nouns} of an ideal model that knows the true probabilities `),
      plain(unbounded.length > 1 ? "have " : "has "),
      strong("no limits"),
    ];
  }
  return [
    ...level,
    plain(bounded.length > 1 ? " each, " : ", "),
    plain("an ideal model that knows the true probabilities, cut at the same threshold on the same points, "),
    plain("would have "),
    ...bounded.flatMap((label, i) => [
      plain(`${i > 0 ? " and " : ""}a ${nounOf(label)} `),
      between(label, frame),
    ]),
    ...unbounded.flatMap((label) => [
      plain(`; its ${nounOf(label)} has `),
      strong("no limits", TONES[label]),
    ]),
  ];
}

function between(label: Label, { point }: Frame): Run {
  const { lower, upper } = rateOf(label, point);
  return strong(`between ${rate(lower)} and ${rate(upper)}`, TONES[label]);
}

export const alphaValueText = (alpha: number) => `${significance(alpha)}, ${confidence(alpha)}`;

export function pointValueText(threshold: number, point: OperatingPoint): string {
  return [
    `threshold ${thresholdText(threshold)}`,
    `true positive rate ${rate(point.tpr)}, ${range(point.tprLower, point.tprUpper)}`,
    `false positive rate ${rate(point.fpr)}, ${range(point.fprLower, point.fprUpper)}`,
  ].join("; ");
}

export function tooFewPoints(frame: Frame): string {
  const labels = LABELS.filter((label) => !hasLimits(frame, label));
  return labels.length === 1 ? `too few points of label ${labels[0]}` : "too few points";
}
