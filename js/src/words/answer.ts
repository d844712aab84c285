// The answer in two lines: the number, with the same words for every alpha and threshold, and what it means.

import { count, fixed, limitsText, percent, range, rate, signed, thresholdText } from "../base/format.ts";
import { normalLimits } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { frameAt } from "../evaluation/at_alpha.ts";
import { reliability } from "../evaluation/calibration_band.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { type Gap, gapsAt } from "../evaluation/gaps.ts";
import { idealLimits } from "../evaluation/ideal_curve.ts";
import { riskOf, treatAll } from "../evaluation/net_benefit.ts";
import { ownPrevalence, precisionAt, precisionLimits } from "../evaluation/precision_recall.ts";
import type { Evaluation, Folds } from "../evaluation/types.ts";
import { limitsAt, sampledBy } from "../sync/comparators.ts";
import { hasCuts } from "../sync/cuts.ts";
import { averageOf, meanWidth, readingOf } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { className, labelsOf, modelOf, rateOf } from "./one_evaluation.ts";
import { rankingSentence } from "./ranking.ts";
import { comparatorTone, plain, type Run, strong, type Tone } from "./runs.ts";
import { several } from "./several_evaluations.ts";
import { benefit, positiveName, prevalenceOf, viewPoint } from "./views.ts";

export interface Answer {
  lead: Run[];
  meaning: Run[];
}

export function answerOf(picture: Picture): Answer {
  const { group } = picture;
  if (picture.shown === null) return group.folds ? foldsAnswer(picture, group.folds) : averageAnswer(picture);
  const answer = answerOfOne(picture);
  if (!hasCuts(group)) return answer;
  const lead = group.kind === "populations" ? gapRuns(picture) : rankingSentence(picture);
  if (lead.length === 0) return answer;
  const isLittle = picture.view === "roc" && saysLittle(picture.evaluation);
  const [first, ...rest] = answer.lead;
  const start = isLittle
    ? `The band of ${picture.evaluation.name} says little: `
    : `${picture.evaluation.name}: `;
  const lowered = { ...first, text: first.text.replace(/^[AW]/, (letter) => letter.toLowerCase()) };
  return { lead, meaning: [strong(start), lowered, ...rest] };
}

function answerOfOne(picture: Picture): Answer {
  if (picture.view === "precision_recall") return precisionAnswer(picture);
  if (picture.view === "reliability") return reliabilityAnswer(picture);
  if (picture.view === "net_benefit") return benefitAnswer(picture);
  if (picture.band === "ideal") return ownCurveAnswer(picture);
  return picture.band === "sampling" ? samplingAnswer(picture) : sameThresholdAnswer(picture);
}

const LITTLE = 0.5;
const LEVEL = 0.05;

/** Whether the band at 95 % is wider than half the plot on average: one finding per evaluation, so that no drag flips it. */
export const saysLittle = remembered((evaluation: Evaluation) => {
  const frame = frameAt(evaluation, LEVEL, 0.5);
  return frame !== null && meanWidth(evaluation, frame) > LITTLE;
});

const between = ([lower, upper]: Pair<number>, tone: Tone, text = rate) =>
  strong(`between ${text(lower)} and ${text(upper)}`, tone);

const testPoints = ({ nTest }: Evaluation) => `${count(nTest[0] + nTest[1])} test points`;
const atThreshold = ({ frame }: Picture) => `At threshold ${thresholdText(frame.threshold)}, `;
const levelOf = ({ frame }: Picture) =>
  frame.kind === "none" ? " (no level is promised)." : ` (${percent(1 - frame.alpha)}).`;

function sameThresholdAnswer(picture: Picture): Answer {
  const { evaluation, frame, band, prevalence } = picture;
  const [label] = labelsOf(band);
  const { noun, tone, observed, lower, upper } = rateOf(label, frame);
  const model = modelOf(frame);
  const what = label === 1 ? "finds fewer" : "calls more";
  const direction = label === 1 ? "high" : "low";
  const knows =
    model === "an ideal model"
      ? `An ideal model knows the true probabilities; it ${what} where this classifier’s scores run too ${direction}.`
      : `An ideal recalibration knows how often each score is right; it ${what} where these scores run too ${direction}.`;
  return {
    lead: [
      plain(`${atThreshold(picture)}${noun} is `),
      strong(rate(observed)),
      plain(`; ${model}’s would lie `),
      between([lower, upper], tone),
      plain(levelOf(picture)),
    ],
    meaning: saysLittle(evaluation)
      ? littleWords(evaluation)
      : prevalence === null
        ? [plain(knows)]
        : useWords(picture, prevalence),
  };
}

function littleWords({ nCalibration, classes, recalibration, rule }: Evaluation): Run[] {
  const calibrate = `${count(nCalibration[1])} ${className(1, classes)} calibrate.`;
  const help = recalibration || rule === "split" ? "More labelled points help." : HELP;
  return [strong("These data say little: "), plain(`${calibrate} ${help}`)];
}

const HELP = "More labelled points, or calibration='cross', help.";

/** Where another share is positive than on the test points: how often a call is right. */
function useWords(picture: Picture, prevalence: number): Run[] {
  const { tpr, fpr } = picture.frame.point;
  const where = `Where ${shareText(prevalence)} are ${positiveName(picture)}, `;
  if (tpr + fpr === 0) return [plain(`${where}nobody is called.`)];
  const whole = (share: number) => fixed(100 * share, 0);
  const [lower, upper] = precisionLimits(picture.frame.point, prevalence);
  return [
    plain(`${where}a call is right in `),
    strong(`${whole(precisionAt(tpr, fpr, prevalence))} %`),
    plain(` of cases (range ${whole(lower)} to ${whole(upper)} %).`),
  ];
}

const shareText = (share: number) => percent(Number(share.toFixed(3)));

function ownCurveAnswer(picture: Picture): Answer {
  const { ideal, frame } = picture;
  const { fpr, tpr } = frame.point;
  const start = [plain(`At a false positive rate of ${rate(fpr)}, sensitivity is `), strong(rate(tpr))];
  if (ideal === null || typeof ideal === "string") {
    const why = ideal === null ? "" : `${ideal.replace(/^./, (first) => first.toUpperCase())}.`;
    return { lead: [...start, plain("; no band for an ideal model’s own curve.")], meaning: [plain(why)] };
  }
  return {
    lead: [
      ...start,
      plain("; on an ideal model’s own curve it would lie "),
      between(idealLimits(ideal, fpr), "label1"),
      plain(` (${percent(1 - ideal.alpha)}).`),
    ],
    meaning: [
      plain("No model ranks better than an ideal one: here it would gain "),
      plain(`${ideal.gain[1] > 0 ? `at most ${rate(ideal.gain[1])}` : "nothing"} of AUC.`),
    ],
  };
}

function samplingAnswer(picture: Picture): Answer {
  const { evaluation, frame } = picture;
  const { fpr, tpr } = frame.point;
  const sampled = sampledBy(picture);
  const lead = [plain(`${atThreshold(picture)}sensitivity is `), strong(rate(tpr))];
  return {
    lead: sampled
      ? [
          ...lead,
          plain("; with much more test data it would settle "),
          between(limitsAt(sampled, fpr), comparatorTone(sampled.item.key)),
          plain(` (${percent(1 - sampled.lines.alpha)}).`),
        ]
      : [
          ...lead,
          plain(picture.offered.sampling ? "; its band is being made." : "; this page holds no such band."),
        ],
    meaning: [
      plain(`How well ${testPoints(evaluation)} pin this classifier down; an ideal model has no part in it.`),
    ],
  };
}

const NO_GUARANTEE = "No guarantee: computed from both limits together.";
const EVERYWHERE = "It holds at every threshold at once.";

function precisionAnswer(picture: Picture): Answer {
  const { frame } = picture;
  const { tp, fp } = frame.point;
  const { y, lower, upper } = viewPoint(picture, "precision_recall");
  const isNone = tp + fp === 0;
  const name = positiveName(picture);
  return {
    lead: [
      plain(`${atThreshold(picture)}precision is `),
      strong(isNone ? "undefined" : rate(y)),
      plain(`; ${modelOf(frame)}’s could lie `),
      between([lower, upper], "ink"),
      plain(` (${percent(1 - frame.alpha)} each).`),
    ],
    meaning: [
      plain(`${count(tp + fp)} are called ${name}, ${count(tp)} of them rightly. `),
      plain(isForEveryThreshold(frame) ? EVERYWHERE : NO_GUARANTEE),
    ],
  };
}

function reliabilityAnswer(picture: Picture): Answer {
  const { evaluation, frame } = picture;
  const { y, lower, upper } = viewPoint(picture, "reliability");
  const { refuted } = reliability(evaluation, frame.alpha);
  return {
    lead: [
      plain(`At score ${thresholdText(frame.threshold)}, the share of ${positiveName(picture)} is `),
      strong(rate(y)),
      plain(" on these points; the true one lies "),
      between([lower, upper], "ink"),
      plain(` (${percent(1 - frame.alpha)}).`),
    ],
    meaning: refuted
      ? [
          plain("The labels refute that a higher score never means a lower probability: "),
          strong("the band promises nothing"),
          plain("."),
        ]
      : [plain("It holds at every score at once, if a higher score never means a lower probability.")],
  };
}

function benefitAnswer(picture: Picture): Answer {
  const { evaluation, frame } = picture;
  const prevalence = prevalenceOf(picture);
  const { y, lower, upper } = viewPoint(picture, "net_benefit");
  const risk = riskOf(Math.min(frame.threshold, 1), ownPrevalence(evaluation), prevalence);
  const all =
    frame.threshold >= 1
      ? "At threshold 1 a false alarm weighs more than any call can gain."
      : `Calling all has ${benefit(treatAll(risk, prevalence))}, calling none 0. `;
  return {
    lead: [
      plain(`${atThreshold(picture)}net benefit is `),
      strong(benefit(y)),
      plain(`; ${modelOf(frame)}’s could lie `),
      between([lower, upper], "ink", benefit),
      plain(` (${percent(1 - frame.alpha)} each).`),
    ],
    meaning: [
      plain(all),
      plain(frame.threshold >= 1 ? "" : isForEveryThreshold(frame) ? EVERYWHERE : NO_GUARANTEE),
    ],
  };
}

function averageAnswer(picture: Picture): Answer {
  const { group, frame, weights } = picture;
  const { fpr, tpr, tprLower, tprUpper } = readingOf(picture);
  const { withoutLimits } = averageOf(picture);
  const names = withoutLimits.map((i) => group.entries[i].name).join(", ");
  return {
    lead: [
      plain(`${atThreshold(picture)}the ${several(group)} average a sensitivity of `),
      strong(rate(tpr)),
      plain(` and a false positive rate of ${rate(fpr)}.`),
    ],
    meaning: [
      plain("Averaged limits: "),
      strong(range(tprLower, tprUpper), "label1"),
      plain(` (each ${percent(1 - frame.alpha)}, weighed ${weights === "size" ? "by size" : "alike"})`),
      plain(names ? `; without limits, and counted as 0 to 1: ${names}.` : "; the average has no guarantee."),
    ],
  };
}

/** The mean area with its limits, and the pooled curve with its caveat. */
function foldsAnswer({ group, wanted }: Picture, { mean, sd, auc }: Folds): Answer {
  const pooled = `The pooled curve, AUC ${rate(auc)}, mixes the scores of different classifiers: `;
  if (mean === null || sd === null) {
    return {
      lead: [plain(`${pooled}where these are not on one scale, it lies below all of theirs.`)],
      meaning: [],
    };
  }
  return {
    lead: [
      plain(`Over ${several(group)} the mean area under the curve is `),
      strong(rate(mean)),
      plain(", "),
      strong(range(...normalLimits(mean, sd, wanted.alpha, [0, 1]))),
      plain(` for these classifiers in the population (${percent(1 - wanted.alpha)}).`),
    ],
    meaning: [
      plain(
        "In large samples, LeDell and others; how much another training set would change them is left out. ",
      ),
      plain(`${pooled}where these are not on one scale, it lies below all of theirs.`),
    ],
  };
}

/** The widest gap between the sensitivities of two populations. */
function gapRuns(picture: Picture): Run[] {
  const { group, frames, wanted } = picture;
  const gaps = gapsAt(group, frames, wanted.alpha, wanted.threshold).tpr;
  if (gaps.length === 0) return [];
  const wide = ({ difference }: Gap) => Math.abs(difference);
  const widest = gaps.reduce((best, gap) => (wide(gap) > wide(best) ? gap : best));
  const [a, b] = widest.pair.map((i) => group.entries[i].name);
  const model = modelOf(picture.frame);
  return [
    plain(`${atThreshold(picture)}sensitivity of ${a} less that of ${b} is `),
    strong(signed(widest.difference)),
    plain(`; ${model}’s, `),
    ...(widest.limits === null
      ? [plain("as Populations.gap says.")]
      : [
          strong(gapText(widest.limits), "label1"),
          plain(` (${percent(1 - wanted.alpha)} for all gaps together).`),
        ]),
  ];
}

/** An end of what is possible is no limit. */
export const gapText = ([lower, upper]: Pair<number>) => limitsText(lower, upper, [lower > -1, upper < 1]);

/** The answer as one text. */
export function spokenAnswer(picture: Picture): string {
  const { lead, meaning } = answerOf(picture);
  return [lead, meaning].map((runs) => runs.map(({ text }) => text).join("")).join(" ");
}
