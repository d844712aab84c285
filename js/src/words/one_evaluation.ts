// Texts about one evaluation.

import { count, limitsText, percent, rate, significance, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { type Evaluation, type Frame, LABELS, type Label } from "../evaluation/types.ts";
import { hasLimits, pointsLacking, type Sides, sidesOf } from "../evaluation/vacuous.ts";
import type { BandKind } from "../wire/messages.ts";
import { plain, type Run, strong, TONES, type Tone } from "./runs.ts";

const NOUNS: Pair<string> = ["specificity", "sensitivity"];

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

/** A text of Python’s, in which labels are numbers, with the reader’s names. */
export function withClassNames(text: string, classes: Pair<string>): string {
  const asPython = text.replace(/\bpos_label=([01])\b/g, (_, label: string) => {
    const name = classes[Number(label) as Label];
    return `pos_label=${isBare(name) ? name : `'${name}'`}`;
  });
  return asPython.replace(/\b(l)abel ([01])\b/gi, (_, first: string, label: string) => {
    const name = className(Number(label) as Label, classes);
    return first === "L" ? name.replace(/^class /, "Class ") : name;
  });
}

export const confidence = (alpha: number) => `${percent(1 - alpha)} confidence`;

export function title(alpha: number, band: BandKind, short: boolean): string {
  const bands = band === "both" ? "bands" : "band";
  const level = percent(1 - alpha);
  return short ? `ROC curve, ${level} ${bands}` : `ROC curve with ${level} conformal ${bands}`;
}

interface Rate {
  noun: string;
  tone: Tone;
  observed: number;
  lower: number;
  upper: number;
  sides: Sides;
}

/** Sensitivity or specificity at the operating point, with its limits. */
function rateOf(label: Label, frame: Frame): Rate {
  const { tpr, tprLower, tprUpper, fpr, fprLower, fprUpper } = frame.point;
  const sides = sidesOf(frame, label);
  const [noun, tone] = [nounOf(label), TONES[label]];
  if (label === 1) return { noun, tone, observed: tpr, lower: tprLower, upper: tprUpper, sides };
  return {
    noun,
    tone,
    observed: 1 - fpr,
    lower: 1 - fprUpper,
    upper: 1 - fprLower,
    sides: [sides[1], sides[0]],
  };
}

/** All of it in words, true for what is drawn. */
export function sentence(evaluation: Evaluation, frame: Frame, band: BandKind): Run[] {
  const labels = labelsOf(band);
  const { nTest } = evaluation;
  return [
    plain(`At threshold ${thresholdText(frame.threshold)}, this classifier’s ${nounOf(labels[0])} on these `),
    plain(`${count(nTest[0] + nTest[1])} test points is `),
    ...observed(labels, frame),
    plain("; "),
    ...ideal(labels, evaluation, frame),
    plain("."),
    ...withoutIntervals(labels, evaluation, frame),
  ];
}

/** Where points have intervals of their own, some may have none that says anything. */
function withoutIntervals(labels: Label[], { classes }: Evaluation, { local }: Frame): Run[] {
  if (local === null) return [];
  const shares = labels
    .filter((label) => local.vacuousShare[label] > 0 && local.vacuousShare[label] < 1)
    .map((label) => `${shareText(local.vacuousShare[label])} of the points of ${className(label, classes)}`);
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
export function localWords({ local, kind }: Frame, label: Label): string {
  if (kind === "everywhere") return "every rank has its part in the limits";
  const share = local?.vacuousShare[label] ?? 0;
  const without = share > 0 ? `; ${shareText(share)} without limits` : "";
  return `a pair for each test point${without}`;
}

/** Share of the test points that lie off the calibration data from which it is worth saying. */
const FAR = 0.05;

/** How far the test points reach beyond what the intervals lean on; empty where there is nothing to say. */
export function reach({ supportShare, supportAbout, classes }: Evaluation, { local }: Frame): string {
  const words: string[] = [];
  if (supportShare !== null && supportShare > FAR) {
    const share = `${supportAbout ? "about " : ""}${shareText(supportShare)}`;
    words.push(`${share} of the test points lie far from the calibration data`);
  }
  for (const label of LABELS) {
    const share = local?.vacuousShare[label] ?? 0;
    if (share > 0)
      words.push(`${shareText(share)} of the points of ${className(label, classes)} have no limits`);
  }
  return words.join("; ");
}

function observed([first, second]: Label[], frame: Frame): Run[] {
  const runs = [strong(rate(rateOf(first, frame).observed))];
  if (second === undefined) return runs;
  return [...runs, plain(` and its ${nounOf(second)} `), strong(rate(rateOf(second, frame).observed))];
}

/** An ideal model’s rates, with the level and the thresholds for which it is promised, and the limits that are missing. */
function ideal(labels: Label[], evaluation: Evaluation, frame: Frame): Run[] {
  const isNamed = labels.length > 1;
  const bounded = labels.filter((label) => hasLimits(frame, label));
  const unbounded = labels.filter((label) => !hasLimits(frame, label));
  const lacks = (label: Label) => lackText(evaluation, frame, label, isNamed);
  const model = `${modelOf(frame)}’s`;
  if (bounded.length === 0) {
    const nouns = unbounded.map(nounOf).join(" and ");
    return [
      plain(`${model} ${nouns}, at the same threshold, may be `),
      strong("anything"),
      plain(`: ${unbounded.map(lacks).join("; ")}`),
    ];
  }
  const rates = bounded.map((label) => rateOf(label, frame));
  const runs = rates.flatMap((each, i) => {
    const isSame = i > 0 && isTwoSided(rates[i - 1]) === isTwoSided(each);
    const verb = isSame ? "" : isTwoSided(each) ? "would lie " : "would be ";
    const subject = i === 0 ? "" : ` and its ${each.noun} `;
    return [plain(subject + verb), between(each)];
  });
  const oneSided = bounded.filter((label) => !isTwoSided(rateOf(label, frame)));
  return [
    plain(`${model}${isNamed ? ` ${rates[0].noun}` : ""}, at the same threshold, `),
    ...runs,
    plain(` (${levelText(frame, bounded.length > 1)})`),
    ...oneSided.map((label) => plain(`; ${lacks(label)}`)),
    ...unbounded.flatMap((label) => [
      plain(`; its ${nounOf(label)} may be `),
      strong("anything", TONES[label]),
      plain(`: ${lacks(label)}`),
    ]),
  ];
}

/** The model whose rates the limits are for: of a score alone it is its recalibration. */
export const modelOf = ({ model }: Pick<Frame, "model">) => model;

const isTwoSided = ({ sides }: Rate) => sides[0] && sides[1];

function between({ lower, upper, sides, tone }: Rate): Run {
  const text =
    sides[0] && sides[1] ? `between ${rate(lower)} and ${rate(upper)}` : limitsText(lower, upper, sides);
  return strong(text, tone);
}

/** Which limit of the rate is missing. */
function missingLimit(label: Label, frame: Frame): string {
  const { sides } = rateOf(label, frame);
  if (!sides[0] && !sides[1]) return "a limit";
  return sides[0] ? "an upper limit" : "a lower limit";
}

/** How many calibration points a missing limit needs. */
export function lackText(evaluation: Evaluation, frame: Frame, label: Label, isNamed: boolean): string {
  const limit = `${missingLimit(label, frame)}${isNamed ? ` of the ${nounOf(label)}` : ""}`;
  const lacking = pointsLacking(evaluation, frame, label);
  if (lacking === null) return `there are too few calibration points for ${limit}`;
  return `${limit} needs ${count(lacking.needed)} calibration points, here ${hereText(lacking.here)}`;
}

const hereText = (n: number) => (n === 1 ? "is 1" : `are ${count(n)}`);

/** A missing limit on the plot, in two lines: on which side, and the points that it needs. */
export function missingLines(evaluation: Evaluation, frame: Frame, label: Label): [string, string] {
  const { noun, sides } = rateOf(label, frame);
  const side = !sides[0] && !sides[1] ? "no limits" : sides[0] ? "no upper limit" : "no lower limit";
  const lacking = pointsLacking(evaluation, frame, label);
  return [
    `${noun}: ${side}`,
    lacking
      ? `${count(lacking.needed)} points needed, here ${hereText(lacking.here)}`
      : "too few calibration points",
  ];
}

/** The level of the limits as far as it is promised; nothing is for a threshold that was picked. */
export function levelText({ alpha, kind }: Pick<Frame, "alpha" | "kind">, isEach = false): string {
  if (kind === "none") return "no level is promised";
  if (isForEveryThreshold({ kind })) return `${percent(1 - alpha)}, at every threshold at once`;
  const mean = kind === "curve" ? " on average" : "";
  return `${percent(1 - alpha)}${isEach ? " each" : ""}${mean}, for a threshold picked blindly`;
}

/** Why a rate leaves its own limits, or why both of these leave everything possible; null where neither is so. */
export function outsideLimits(label: Label, frame: Frame, classes: Pair<string>): string | null {
  const found = rateOf(label, frame);
  const { noun, observed, lower, upper } = found;
  const name = className(label, classes);
  if (isTwoSided(found) && lower === 0 && upper === 1)
    return `All intervals of ${name} cross this threshold: the limits of the ${noun} say nothing here.`;
  if (lower <= observed && observed <= upper) return null;
  const isAbove = observed > upper;
  const isHigh = isAbove === (label === 1);
  return (
    `The ${noun} at this threshold is ${isAbove ? "above" : "below"} its own limits: the ` +
    `scores of ${name} are too ${isHigh ? "high" : "low"} there. Recalibrate the ` +
    "classifier, or choose the threshold by rates rather than by probability."
  );
}

export const alphaValueText = (alpha: number) => `${confidence(alpha)}, α ${significance(alpha)}`;

/** Beneath the confidence. */
export const errorRateText = (alpha: number) => `α = ${significance(alpha)}, error rate`;

export function pointValueText(frame: Frame): string {
  const { tpr, tprLower, tprUpper, fpr, fprLower, fprUpper } = frame.point;
  return [
    `threshold ${thresholdText(frame.threshold)}`,
    `true positive rate ${rate(tpr)}, ${limitsText(tprLower, tprUpper, sidesOf(frame, 1))}`,
    `false positive rate ${rate(fpr)}, ${limitsText(fprLower, fprUpper, sidesOf(frame, 0))}`,
  ].join("; ");
}
