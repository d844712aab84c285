// Writes the report of a picture for a paper: sentences on the classifier, on the goal and on the shown band, with
// figures and citations.

import { count, counted, fixed, isOrAre, rateAtMost, thresholdText } from "../base/format.ts";
import { normalLimits } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import { stopOf } from "../base/steps.ts";
import { words } from "../base/words.ts";
import { hasReliability, reliability } from "../evaluation/calibration_band.ts";
import { settledGapsAt, widestOf } from "../evaluation/gaps.ts";
import { withConfidence } from "../evaluation/guarantee.ts";
import { horizonText, isOneAtATime } from "../evaluation/horizons.ts";
import {
  type Evaluation,
  type Folds,
  type Group,
  LABELS,
  type Label,
  type Words,
} from "../evaluation/types.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import { verdictOnGoal } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import { averageAuc, meanAreaLimits, meanRate, meanRateLimits } from "../shown/overview_numbers.ts";
import { ownLimits } from "../shown/own_limits.ts";
import { idealCurveOf, type Picture } from "../shown/picture.ts";
import { sampledArea } from "../shown/sampled_area.ts";
import { type Figure, figure, joined, listed, rangeText } from "./figure.ts";
import { goalMethod } from "./goal.ts";
import { METHODS, type Method } from "./methods.ts";
import { labelsOf, nounOf } from "./one_evaluation.ts";
import { rowsOf } from "./rows.ts";
import { nameAmong, several as numbered, rowsIn } from "./several_evaluations.ts";

export interface Report {
  sentences: string[];
  figures: Figure[];
  methods: Method[];
}

/** Returns the figures and sentences for the current band. If it is "none", there are no limits. */
export function reportOf(picture: Picture): Report {
  if (picture.evaluation.unlabelled && picture.shown !== null) return ofAwaited(picture);
  const isBare = picture.band === "none";
  const parts = [ofClassifier(picture), ...(isBare ? [] : [ofGoal(picture), ofModel(picture)])];
  const figures = parts.flatMap((part) => part.figures);
  const used = parts.flatMap(({ methods }) => methods);
  return {
    sentences: parts.flatMap(({ sentences }) => sentences),
    figures,
    methods: [...new Set([...figures.flatMap(({ method }) => (method ? [method] : [])), ...used])],
  };
}

const NOTHING: Report = { sentences: [], figures: [], methods: [] };

// ---- this classifier, with its confidence limits in the population

/** Kinds of groups whose areas are listed side by side. */
const COMPARED: Group["kind"][] = ["classifiers", "populations", "samples"];

function ofClassifier(picture: Picture): Report {
  const { group, shown } = picture;
  if (shown === null) return group.folds ? ofFolds(picture, group.folds) : ofClasses(picture);
  return COMPARED.includes(group.kind) ? ofSeveral(picture) : ofOne(picture);
}

/** Returns the picture that one of the evaluations would have alone. */
const alone = (picture: Picture, i: number): Picture => ({
  ...{ ...picture, shown: i, evaluation: picture.group.entries[i], frame: picture.frames[i] },
});

/** Returns the area of an evaluation with its limits. If the band is "none", limits are hidden. */
function areaOf(picture: Picture, of: string): Figure {
  const { evaluation, band } = picture;
  const made = figure(of, "AUC", "area", evaluation.auc);
  const limits = band === "none" ? null : sampledArea(picture);
  const method = isAnyLook(picture) ? METHODS.area_at_looks : areaMethod(evaluation);
  return limits === null ? made : { ...made, limits, method };
}

function areaMethod({ area, auc, weighted, nRows, nTest, followed }: Evaluation): Method {
  if (area?.variance === 0) return auc === 0 || auc === 1 ? METHODS.pairs : METHODS.bounded;
  if (followed || isWeighted({ nRows, nTest })) return METHODS.weights;
  return weighted ? METHODS.people : METHODS.delong;
}

const isWeighted = ({ nRows, nTest }: Pick<Evaluation, "nRows" | "nTest">) =>
  nRows.some((n, k) => n !== nTest[k]);

const atWords = (threshold: number) => ` at ${thresholdText(threshold)}`;

/** Returns a rate at its threshold, without limits. */
const rateFigure = (of: string, rate: string, threshold: number, value: number | null): Figure => ({
  ...figure(of, rate, "share", value),
  at: atWords(threshold),
});

/**
 * Returns a rate at the threshold with binomial limits in the population. If rows have weights or groups, the
 * limits use the effective sample size. If `hasLimits` is false, the rate has no limits, because the
 * threshold was chosen on the same rows.
 */
function rateOf(picture: Picture, label: Label, of: string, hasLimits: boolean): Figure {
  const { evaluation, frame } = picture;
  const { tp, fp, tn, fn, tpr, fpr } = frame.point;
  const [k, n] = label === 1 ? [tp, tp + fn] : [tn, tn + fp];
  const made = rateFigure(of, nounOf(label), frame.threshold, label === 1 ? tpr : 1 - fpr);
  const counted = evaluation.weighted ? made : { ...made, counts: [k, n] as Pair<number> };
  const limits = hasLimits ? ownLimits({ ...picture, wanted: frame }, label) : null;
  if (limits === null) return counted;
  const once = evaluation.weighted ? METHODS.means : METHODS.exact;
  return { ...counted, limits, method: isAnyLook(picture) ? METHODS.rates_at_looks : once };
}

function ofOne(picture: Picture): Report {
  const { group, evaluation, frame, noun, band } = picture;
  const verdict = band === "none" ? null : verdictOnGoal(picture);
  // If the threshold was found for a goal, `ofGoal` reports the rate of the goal with its limit. So this rate
  // is left out here.
  const chosen = verdict?.isOn ? verdict.wish.rate : null;
  const area = areaOf(picture, "");
  const rates = LABELS.filter((label) => nounOf(label) !== chosen).map((label) =>
    rateOf(picture, label, "", chosen === null && band !== "none"),
  );
  const isOne = group.kind === "single" || isOneAtATime(group);
  const name = isOne ? group.title || "the classifier" : nameAmong(group, evaluation);
  const who = group.kind === "classes" ? words("class.against_rest", { name }) : name;
  const had = listed([area], frame.alpha, (found) => found);
  const were = listed(rates, frame.alpha, (found, { name }) => `${name} was ${found}`);
  const at = `At threshold ${thresholdText(frame.threshold)}`;
  return {
    sentences: [
      `${sampleWords(picture)}, ${who} had an AUC of ${had}.`,
      `${at}, ${were}${chosen === null ? "" : `, without limits, for these ${noun} chose the threshold: report it on other ${noun}`}.`,
    ],
    figures: [area, ...rates],
    methods: evaluation.followed ? [METHODS.kaplan_meier] : [],
  };
}

/** Reports the threshold that keeps the goal, and the rate there with the goal as its lower limit. */
function ofGoal(picture: Picture): Report {
  const verdict = verdictOnGoal(picture);
  if (!verdict?.found) return NOTHING;
  const { group, evaluation, frame, noun } = picture;
  const { rate, least } = verdict.wish;
  const of = COMPARED.includes(group.kind) ? nameAmong(group, evaluation) : "";
  const { threshold, k, n, value } = verdict.found;
  const at = thresholdText(threshold);
  const made: Figure = {
    ...{ ...rateFigure(of, rate, threshold, value), at: `${atWords(threshold)}, chosen here` },
    ...{ counts: [k, n], limits: [least, 1], sides: [true, false], method: goalMethod(rate) },
  };
  const was = listed([made], frame.alpha, (found) => found);
  return {
    ...NOTHING,
    sentences: [`At threshold ${at}, chosen on these same ${noun}, ${rate}${of && ` of ${of}`} was ${was}.`],
    figures: [made],
  };
}

/** Reports on rows without labels: the expected figures, and limits of what the labels will show. */
function ofAwaited(picture: Picture): Report {
  const { evaluation, frame, noun, band } = picture;
  const { auc, nRows } = evaluation;
  const isBare = band === "none";
  const known = (made: Figure, limits: Pair<number>): Figure =>
    isBare ? made : { ...made, limits, method: METHODS.unlabelled };
  const area = known(figure("", "AUC", "area", auc), frame.auc);
  const { tprLower, tprUpper, fprLower, fprUpper } = frame.point;
  const rates = LABELS.map((label) =>
    known(
      rateOf(picture, label, "", false),
      label === 1 ? [tprLower, tprUpper] : [1 - fprUpper, 1 - fprLower],
    ),
  );
  const had = listed([area], frame.alpha, (found) => found);
  const were = listed(rates, frame.alpha, (found, { name }) => `${name} ${found}`);
  return {
    sentences: [
      `On ${counted(nRows[0] + nRows[1], noun)} without labels, of which ${count(nRows[1])} ${isOrAre(nRows[1])} expected to be positive, the expected AUC is ${had}.`,
      `At threshold ${thresholdText(frame.threshold)}, expected are ${were}.`,
      ...(isBare ? [] : [guaranteeWords(frame)]),
    ],
    figures: [area, ...rates],
    methods: [],
  };
}

/** Describes the test rows: how many have each label, the horizon, and whether they have weights or groups. */
function sampleWords(picture: Picture): string {
  const { evaluation, noun } = picture;
  const { followed, nRows, weighted } = evaluation;
  const [zeros, ones] = nRows.map(count);
  if (followed) {
    const unknown =
      followed.unknown > 0 ? `, ${count(followed.unknown)} lost before, for which others count more` : "";
    const how = followed.unknown > 0 ? ` (${METHODS.kaplan_meier.text})` : "";
    return `By ${horizonText(followed)}, on ${counted(nRows[0] + nRows[1], `test ${noun}`)} (${ones} with the event, ${zeros} without it${unknown}${how})`;
  }
  const how = weighted ? (isWeighted(evaluation) ? ", weighted" : ", several of one person") : "";
  const each = LABELS.map((label) => counted(nRows[label], rowsOf(picture, label)));
  return `On ${counted(nRows[0] + nRows[1], `test ${noun}`)} (${each.join(", ")}${how})`;
}

/**
 * Reports on several classifiers, populations or samples: the area of each, and the largest difference between them.
 */
function ofSeveral(picture: Picture): Report {
  const { group, frame, band, noun } = picture;
  const every = group.entries.map((entry, i) => ({ name: nameAmong(group, entry), own: alone(picture, i) }));
  const areas = every.map(({ name, own }) => areaOf(own, name));
  const rates = every.flatMap(({ name, own }) =>
    LABELS.map((label) => rateOf(own, label, name, band !== "none")),
  );
  const each = every.map(({ name, own: { evaluation } }) => `${count(rowsIn([evaluation]))} of ${name}`);
  // The words for one sample say whether its rows are weighted. Rows may be weighted for one classifier only.
  const areAlike = group.entries.every(({ weighted }) => weighted === picture.evaluation.weighted);
  const isOneSample = group.kind === "classifiers" && areAlike;
  const sample = isOneSample ? sampleWords(picture) : `On test ${noun}, ${joined(each)}`;
  const compared = band === "none" ? null : comparedOf(picture);
  const was = listed(areas, frame.alpha, (found, { of }) => `${found} for ${of}`);
  return {
    sentences: [`${sample}, the AUC was ${was}.`, ...(compared ? [compared.sentence] : [])],
    figures: [...areas, ...rates, ...(compared ? [compared.figure] : [])],
    methods: [],
  };
}

interface Compared {
  sentence: string;
  figure: Figure;
}

/**
 * Returns the difference to report: between the two largest areas of classifiers, or the largest one between
 * populations.
 */
function comparedOf(picture: Picture): Compared | null {
  if (picture.group.kind === "classifiers") return areasCompared(picture);
  return picture.group.kind === "populations" ? gapOf(picture) : null;
}

function areasCompared({ group, comparators: { pairs }, frame }: Picture): Compared | null {
  const [first, other] = group.entries.toSorted((a, b) => b.auc - a.auc);
  const pair = pairs.find(({ a, b }) => [a, b].includes(first.name) && [a, b].includes(other?.name));
  if (!pair || pair.sd === null) return null;
  const value = Math.abs(pair.difference);
  const made: Figure = {
    ...figure(`${first.name} less ${other.name}`, "AUC", "difference", value),
    limits: normalLimits(value, pair.sd, frame.alpha / pairs.length, [-1, 1]),
    method: pairs.length > 1 ? METHODS.holm : METHODS.paired,
  };
  const all = pairs.length > 1 ? `, all ${pairs.length} pairs at once` : "";
  const p = pair.p === null ? "" : `, p ${pair.p < 0.001 ? "below 0.001" : `= ${fixed(pair.p, 3)}`}`;
  const by = listed([made], frame.alpha, (found) => found);
  return {
    sentence: `The AUC of ${first.name} was larger than that of ${other.name} by ${by}${all}${p}.`,
    figure: made,
  };
}

function gapOf({ group, frame, frames, wanted }: Picture): Compared | null {
  const widest = widestOf(settledGapsAt(group, frames, wanted.alpha, wanted.threshold).tpr);
  if (!widest) return null;
  const { limits } = widest;
  const [a, b] = widest.pair.map((i) => nameAmong(group, group.entries[i]));
  const at = thresholdText(frame.threshold);
  const made: Figure = {
    ...figure(`${a} less ${b}`, nounOf(1), "points", widest.difference),
    ...{ at: atWords(frame.threshold), limits, method: limits ? METHODS.exact : null },
  };
  const by = listed([made], frame.alpha, (found) => found);
  const rest = limits ? ", all gaps together" : "; these need independent rows of equal weight";
  return {
    sentence: `At threshold ${at}, sensitivity was higher for ${a} than for ${b} by ${by}${rest}.`,
    figure: made,
  };
}

/** Reports on all classes together: their mean area and mean sensitivity. */
function ofClasses(picture: Picture): Report {
  const { group, frame, band, noun } = picture;
  const limits = band === "none" ? null : meanAreaLimits(picture);
  const mean: Figure = {
    ...figure("mean", "AUC", "area", averageAuc(picture).auc),
    ...{ limits, method: limits ? METHODS.classes : null },
  };
  const found = meanRate(picture, 1).observed;
  const rateLimits = band === "none" ? null : meanRateLimits(picture, 1, found);
  const rate: Figure = {
    ...rateFigure("mean", nounOf(1), frame.threshold, found),
    ...{ limits: rateLimits ?? null, method: rateLimits ? METHODS.means : null },
  };
  const areas = group.entries.map((entry, i) => areaOf(alone(picture, i), nameAmong(group, entry)));
  const n = group.entries[0].nRows[0] + group.entries[0].nRows[1];
  return {
    sentences: [
      `On ${counted(n, `test ${noun}`)} of ${numbered(group)}, each against the rest, the mean AUC was ${listed([mean], frame.alpha, (found) => found)}.`,
      `At threshold ${thresholdText(frame.threshold)}, mean sensitivity was ${listed([rate], frame.alpha, (found) => found)}.`,
    ],
    figures: [mean, rate, ...areas],
    methods: [],
  };
}

/** Reports on all folds together: the mean of their areas. */
function ofFolds(picture: Picture, { mean: observed, limits: known, method }: Folds): Report {
  const { group, frame, band, noun } = picture;
  const stop = stopOf(frame.alpha);
  const here: Pair<number> = frame.mean ?? (stop < 0 ? [0, 1] : [known[0][stop], known[1][stop]]);
  const limits = band === "none" ? null : here;
  const how: Method = { ...METHODS.folds, text: `${method}, ${METHODS.folds.text}` };
  const mean: Figure = { ...figure("mean", "AUC", "area", observed), limits, method: limits && how };
  const areas = group.entries.map((entry) => figure(nameAmong(group, entry), "AUC", "area", entry.auc));
  return {
    sentences: [
      `Over ${numbered(group)} of ${counted(rowsIn(group.entries), noun)} in all, the mean AUC was ${listed([mean], frame.alpha, (found) => found)}.`,
      ...(limits
        ? [
            "Its limits are for the classifiers of these folds: how much another training set would change them is left out.",
          ]
        : []),
    ],
    figures: [mean, ...areas],
    methods: [],
  };
}

// ---- other models: the true risks, and the ideal model's own curve

function ofModel(picture: Picture): Report {
  const { shown, band, view } = picture;
  if (shown === null || band === "sampling" || view === "reliability") return NOTHING;
  return band === "ideal" ? ofIdeal(picture) : ofTrueRisks(picture);
}

const TRUE_RISKS = {
  recalibration: "the true risk behind each score",
  ideal_model: "the true risks",
} as const;

/** Reports the limits of the rates that the true risks would have, with their guarantee. */
function ofTrueRisks(picture: Picture): Report {
  const { group, evaluation, frame, band, noun } = picture;
  const who = TRUE_RISKS[frame.model === "recalibration" ? "recalibration" : "ideal_model"];
  const method = frame.kind in METHODS ? METHODS[frame.kind as keyof typeof METHODS] : METHODS.individual;
  const figures = labelsOf(band).map((label) => trueRate(picture, label, who, method));
  const [zeros, ones] = evaluation.nCalibration.map(count);
  const from = !method.works.includes("zheng")
    ? ""
    : `, from ${ones} and ${zeros} calibration ${evaluation.countsPeople ? "people" : noun}`;
  const ranges = figures
    .filter(({ sides }) => sides.some(Boolean))
    .map((each) => `a ${each.name} of ${rangeText(each)}`);
  const name = COMPARED.includes(group.kind) ? ` of ${nameAmong(group, evaluation)}` : "";
  const would =
    ranges.length > 0 ? `would give ${joined(ranges)}` : "could give any rate: there are no limits";
  return {
    sentences: [
      `At threshold ${thresholdText(frame.threshold)}${name}, ${who} ${would} (${method.text}${from}).`,
      isRefuted(picture) ? words("answer.refuted") : guaranteeWords(frame),
    ],
    figures,
    methods: [method],
  };
}

/**
 * Returns the limits of the rate that the true risks would have at the threshold. If there are none, the
 * figure has only its name and the threshold.
 */
function trueRate({ frame }: Picture, label: Label, who: string, method: Method): Figure {
  const { point, threshold } = frame;
  const [lower, upper] = sidesOf(frame, label);
  const made = rateFigure(who, nounOf(label), threshold, null);
  if (!lower && !upper) return { ...made, sides: [false, false] };
  return label === 1
    ? { ...made, method, limits: [point.tprLower, point.tprUpper], sides: [lower, upper] }
    : { ...made, method, limits: [1 - point.fprUpper, 1 - point.fprLower], sides: [upper, lower] };
}

/** Whether the labels contradict the assumption of the limits. */
const isRefuted = ({ evaluation, frame }: Picture) =>
  evaluation.simultaneous && hasReliability(evaluation, frame) && reliability(evaluation, frame).refuted;

/** Writes the guarantee of the limits: level, scope and every condition. */
const guaranteeWords = ({ scope, guarantee }: Pick<Words, "scope" | "guarantee">) =>
  `Guarantee (${scope}): ${guarantee}.`;

/** Reports the area of the best possible model. */
function ofIdeal(picture: Picture): Report {
  const curve = idealCurveOf(picture);
  if (curve === null) return NOTHING;
  const { auc, gain, table } = curve;
  const made: Figure = {
    ...figure("the best possible model", "AUC", "area", null),
    ...{ limits: auc, method: METHODS.credible },
  };
  return {
    sentences: [
      `The AUC of the best possible model is likely ${rangeText(made)}: at most ${rateAtMost(Math.max(gain[1], 0))} to gain (${METHODS.credible.text}).`,
      guaranteeWords(withConfidence(table.words, curve.alpha)),
    ],
    figures: [made],
    methods: [],
  };
}
