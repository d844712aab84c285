// The ROC curve with its conformal bands, comparators, line of the same cost, and arc; its twin is views/roc.py.

import { models } from "../../../conformal_roc_widget/promises.json";
import { dashes } from "../../../conformal_roc_widget/shown/theme.json";
import { areaText, informativeSides, limitsText, rate, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { clamp } from "../base/scale.ts";
import { words } from "../base/words.ts";
import { arcOf } from "../evaluation/arc.ts";
import { bandAt } from "../evaluation/at_alpha.ts";
import { horizonText } from "../evaluation/horizons.ts";
import { nearestVertex, observedCurve } from "../evaluation/observed_curve.ts";
import { precisionAt, precisionLimits } from "../evaluation/precision_recall.ts";
import { type Evaluation, type Followed, type Frame, LABELS, type Label } from "../evaluation/types.ts";
import { leastCost } from "../evaluation/use_metrics.ts";
import { isLocalized, pointsLacking, type Sides, sidesOf } from "../evaluation/vacuous.ts";
import type { Area, Mark, Points, Text } from "../scene.ts";
import { laidComparators } from "../shown/comparators.ts";
import { hasCuts } from "../shown/cuts.ts";
import { meanWidth } from "../shown/overview_numbers.ts";
import type { Picture } from "../shown/picture.ts";
import { sampledArea } from "../shown/sampled_area.ts";
import { type Answer, given, lostWords, nameInLine } from "../words/answer.ts";
import {
  className,
  labelsOf,
  nounOf,
  pointValueText,
  positiveName,
  prevalenceOf,
  rateOf,
} from "../words/one_evaluation.ts";
import { withReach } from "../words/promise.ts";
import { plain, type Run, runs } from "../words/runs.ts";
import { otherMarks } from "./others.ts";
import * as parts from "./parts.ts";
import { head, type Reading, rowsOf, type Switch, type View } from "./view.ts";

/** The axes: both rates, with the names of the classes unless these are mere numbers. */
export function rocAxes(
  classes: readonly string[] = [],
  followed: Followed | null = null,
): ReturnType<View["axes"]> {
  if (followed !== null) {
    return {
      across: { title: words("axis.specificity"), ends: parts.UNIT },
      up: { title: words("axis.sensitivity_by", { time: horizonText(followed) }), ends: parts.UNIT },
    };
  }
  const isPlain = classes.every((name) => name === "0" || name === "1");
  const [zeros, ones] = classes.map((name) => withNoun(shortName(name, MOST_LETTERS)));
  const [specificity, sensitivity] = [words("axis.specificity"), words("axis.sensitivity")];
  const across = isPlain ? specificity : words("axis.specificity_of_class", { name: zeros });
  const up = isPlain ? sensitivity : words("axis.sensitivity_of_class", { name: ones });
  return {
    across: { title: across, short: specificity, ends: parts.UNIT },
    up: { title: up, short: sensitivity, ends: parts.UNIT },
  };
}

/** A class after its noun, which its name may begin with. */
const withNoun = (name: string) => (/^class /i.test(name) ? name : `class ${name}`);

/** Letters of a class on an axis. */
const MOST_LETTERS = 24;

export const CHANCE = parts.baseline(parts.pointsOf(parts.UNIT, parts.UNIT), words("key.chance"));
const SAME_COST = parts.pen("ink", 1.25, ...dashes.same_cost);
const DIAMOND = parts.pen("ink");
const ARC = parts.pen("ink", 6);
/** Pen of the arc if the labels refute that a higher score never means a lower probability. */
const REFUTED = parts.pen("ink", 6, ...dashes.refuted);
const RING = parts.pen("ink", 2);
const LIMITS_LINE = 1.5;

export const ROC: View = {
  axes: ({ evaluation }) => rocAxes(evaluation.classes, evaluation.followed),
  marks: (picture) => rocMarks(picture, labelsOf(picture.band), comparatorMarks(picture)),
  callout: (picture) => [head(picture), ...drawnLabels(picture).map((label) => [limitsLine(picture, label)])],
  answer: sameThresholdAnswer,
  promise: (picture) => withReach(picture, picture.frame),
  numbers: ({ evaluation: { thresholds, fpr, tpr }, frame: { limits } }) => ({
    columns: ["threshold", "fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"],
    rows: rowsOf(thresholds, fpr, tpr, limits.fprLower, limits.fprUpper, limits.tprLower, limits.tprUpper),
  }),
  spoken: ({ frame }) => pointValueText(frame),
  reading: (picture, x, y) => rateReading(picture, x, y, limitsAtVertices),
  track: ({ evaluation }) => observedCurve(evaluation),
  switches(picture) {
    const isArc = showsArc(picture);
    const arc = { id: "arc", name: "arc", text: words("key.recalibrated"), isOn: isArc };
    const rates = LABELS.map((label): Switch => {
      const noun = nounOf(label);
      const isOn = !isArc && labelsOf(picture.band).includes(label);
      return { id: `band-${noun}`, name: noun, text: words("key.ideal_rate", { rate: noun }), isOn };
    });
    return [...(picture.evaluation.simultaneous ? [arc] : []), ...rates, ...comparatorSwitches(picture)];
  },
};

/** The limits of a label's rate at a vertex, in words; empty if none are drawn. */
type LimitsAt = (frame: Frame, label: Label, vertex: number) => string;

const limitsAtVertices: LimitsAt = (frame, label, i) => {
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.limits;
  const [lower, upper] = label === 1 ? [tprLower, tprUpper] : [fprLower, fprUpper];
  return limitsText(lower[i], upper[i], sidesOf(frame, label));
};

/** Both rates at the nearest vertex of the curves that are drawn; of several it says whose. */
export function rateReading(picture: Picture, x: number, y: number, limitsAt: LimitsAt): Reading {
  const { group, frames, evaluation, shown } = picture;
  const drawn = hasCuts(group) ? group.entries.map((_, i) => i) : [shown ?? 0];
  const found = drawn.map((at) => {
    const curve = observedCurve(group.entries[at]);
    const i = nearestVertex(curve, x, y);
    return { at, i, curve, away: Math.hypot(curve.x[i] - x, curve.y[i] - y) };
  });
  // If curves meet here, the one that is looked at is meant.
  const own = found.find(({ at }) => group.entries[at] === evaluation) ?? found[0];
  const { at, i, curve } = found.reduce((best, each) => (each.away < best.away ? each : best), own);
  const threshold = words("corner.threshold", { threshold: group.entries[at].thresholds[i] });
  const limits = (label: Label) => limitsAt(frames[at], label, i);
  return {
    x: curve.x[i],
    y: curve.y[i],
    title: drawn.length > 1 ? `${nameInLine(group.entries[at].name)}, ${threshold}` : threshold,
    rows: [
      { text: `${words("axis.sensitivity")} ${rate(curve.y[i])}`, limits: limits(1), tone: "label1" },
      { text: `${words("axis.specificity")} ${rate(curve.x[i])}`, limits: limits(0), tone: "label0" },
    ],
  };
}

/** Whether an ideal recalibration is drawn as an arc along the curve, not as a band at fixed thresholds. */
const showsArc = ({ evaluation, shown, group, page }: Picture) =>
  evaluation.simultaneous && (shown !== null || group.kind === "single") && page.arc;

/** Whether the limits that are drawn are the conformal ones: the other questions have bands of their own. */
export const showsConformal = ({ view, band }: Picture) =>
  view !== "reliability" && band !== "sampling" && (view !== "roc" || (band !== "ideal" && band !== "none"));

/** The labels whose limits are drawn, as a band or along the arc. */
export const drawnLabels = (picture: Picture): readonly Label[] =>
  !showsConformal(picture) ? [] : showsArc(picture) ? LABELS : labelsOf(picture.band);

function sameThresholdAnswer(picture: Picture): Answer {
  const { frame, band } = picture;
  const [label] = labelsOf(band);
  const { noun, tone, observed, lower, upper } = rateOf(label, frame);
  const key = frame.kind === "none" ? "answer.rate_without_level" : "answer.rate";
  return {
    lead: runs(key, { ...given(picture), rate: noun, observed, lower, upper }, tone),
    meaning: meaningOf(picture, label),
  };
}

/** What the answer means, or what stands against it. */
function meaningOf(picture: Picture, label: Label): Run[] {
  const { evaluation, frame, prevalence } = picture;
  if (isRefuted(picture)) return runs("answer.refuted");
  if (saysLittle(evaluation)) return littleWords(picture);
  if (prevalence !== null) return useWords(picture, prevalence);
  if (evaluation.followed) return lostWords(evaluation.followed);
  const meant = MEANINGS[frame.model === "ideal_model" ? "ideal" : "recalibration"][label];
  if (frame.kind !== "everywhere" && frame.kind !== "simultaneous") return runs(meant);
  // More points narrow a band for every threshold; at a single threshold the residuals' own spread stays.
  return [...runs(meant), plain(" "), ...runs("answer.more_narrow", { unit: unitOf(evaluation) })];
}

/** What a rate of each model means, by label. */
const MEANINGS = {
  ideal: ["answer.ideal_calls", "answer.ideal_finds"],
  recalibration: ["answer.recalibration_calls", "answer.recalibration_finds"],
} as const;

const unitOf = ({ countsPeople }: Evaluation) => (countsPeople ? "people" : "points");

/** Whether the labels contradict what the band of an ideal recalibration assumes. */
const isRefuted = ({ evaluation, frame }: Picture) => evaluation.simultaneous && frame.notes.length > 0;

/** Sentences where few points calibrate: how many there are, and what helps. */
function littleWords({ evaluation, frame, source }: Picture): Run[] {
  const { nCalibration, classes, crossable } = evaluation;
  const unit = unitOf(evaluation);
  const name = nameInLine(className(1, classes));
  // A reader of a page without a kernel cannot fit anew.
  const canFit = crossable && source !== "static";
  const isCrossed = canFit && (frame.kind === "individual" || frame.kind === "curve");
  return [
    ...(isLocalized(frame)
      ? runs("answer.little_each", { unit, name })
      : runs("answer.little", { n: nCalibration[1], unit, name })),
    plain(" "),
    ...runs(isCrossed ? "answer.more_or_cross_help" : "answer.more_help", { unit }),
  ];
}

/** How often a call is right, if another share is positive than on the test points. */
function useWords(picture: Picture, prevalence: number): Run[] {
  const { tpr, fpr } = picture.frame.point;
  const where = { share: Number(prevalence.toFixed(3)), name: nameInLine(positiveName(picture)) };
  if (tpr + fpr === 0) return runs("answer.use_calls_none", where);
  const right = precisionAt(tpr, fpr, prevalence);
  const shares = [right, ...precisionLimits(picture.frame.point, prevalence)];
  const [percentage, lower, upper] = shares.map((share) => 100 * share);
  return runs("answer.use", { ...where, right: percentage, lower, upper });
}

const LITTLE = 0.5;
const LEVEL = 0.05;

/** Whether the band at 95 % is wider than half the plot on average: one finding per evaluation, so that no drag flips it. */
export const saysLittle = remembered((evaluation: Evaluation) => {
  const band = bandAt(evaluation, LEVEL);
  return band !== null && meanWidth(evaluation, band) > LITTLE;
});

function limitsLine({ frame }: Picture, label: Label): Run {
  const { noun, lower, upper, tone, ...rate } = rateOf(label, frame);
  const sides = informativeSides(rate.sides, [lower, upper]);
  const missing = sides[0] === sides[1] ? "" : `, no ${sides[0] ? "upper" : "lower"} limit`;
  return plain(
    `${models[frame.model].before_noun} ${noun} ${limitsText(lower, upper, sides)}${missing}`,
    tone,
  );
}

/** Marks of the ROC curve: curve, bands of these labels, area and point, with other marks below and above them. */
export function rocMarks(
  picture: Picture,
  labels: readonly Label[],
  below: Mark[],
  above: Mark[] = [],
): Mark[] {
  const { evaluation, frame } = picture;
  const isArc = labels.length > 0 && showsArc(picture);
  const { fpr, tpr, threshold } = { ...frame.point, ...frame };
  return [
    ...(isArc ? [] : labels.map((label) => limitsOf(evaluation, frame, label))),
    ...below,
    ...costLine(picture),
    CHANCE,
    ...otherMarks(picture),
    parts.curve({ ...observedCurve(evaluation), step: "" }),
    ...leastCostPoint(picture),
    ...above,
    ...areaCorner(picture),
    ...(isArc ? arcMarks(evaluation, frame) : armMarks(frame, labels)),
    ...parts.point(fpr, tpr, threshold),
  ];
}

/** Texts of the area and of its limits with more test data; a curve to guess from has no limits. */
function areaCorner(picture: Picture): Text[] {
  const { evaluation, frame, band } = picture;
  const limits = band === "none" ? null : sampledArea(picture);
  const text = areaText([evaluation.auc, ...(limits ?? [])]);
  const key = band === "sampling" ? "corner.auc_limits" : "corner.auc_limits_more";
  const below =
    limits && words(key, { lower: text(limits[0]), upper: text(limits[1]), level: 1 - frame.alpha });
  return parts.cornerWithLimits(words("corner.auc", { auc: text(evaluation.auc) }), below);
}

/** Band of a label: over the FPR for label 1, over the TPR for label 0. */
function limitsOf(evaluation: Evaluation, frame: Frame, label: Label): Area {
  const { x, y } = observedCurve(evaluation);
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.limits;
  const sides = sidesOf(frame, label);
  const edge = (limits: Float64Array): Points =>
    label === 1 ? { x, y: limits, step: "across" } : { x: limits, y, step: "across" };
  const pen = sides[0] || sides[1] ? parts.LIMITS[label] : parts.NO_LIMITS;
  const [lower, upper] = label === 1 ? [tprLower, tprUpper] : [fprLower, fprUpper];
  const key = words("key.ideal_rate", { rate: nounOf(label) }) + missingText(evaluation, frame, label, sides);
  return parts.area(`band-${nounOf(label)}`, key, edge(lower), edge(upper), pen, pen.colour, { sides });
}

/** Words in the key: which limits are missing, and how many points they need, if that is known. */
function missingText(evaluation: Evaluation, frame: Frame, label: Label, sides: Sides): string {
  if (sides[0] && sides[1]) return "";
  const lacking = pointsLacking(evaluation, frame, label);
  const need = lacking ? words("key.needed", { ...lacking }) : words("key.too_few");
  return `${parts.missingLimits(label === 1 ? sides : [sides[1], sides[0]])}; ${need}`;
}

/** Error bars of the rates whose bands are drawn, level first; dots where a limit is missing. */
function armMarks(frame: Frame, labels: readonly Label[]): Mark[] {
  const { fpr, fprLower, fprUpper, tpr, tprLower, tprUpper } = frame.point;
  return ([0, 1] as const).flatMap((label): Mark[] => {
    if (!labels.includes(label)) return [];
    const [rate, at] = label === 1 ? [tpr, fpr] : [fpr, tpr];
    const ends: Pair<number> = label === 1 ? [tprLower, tprUpper] : [fprLower, fprUpper];
    const pens = [parts.ARMS[label], parts.MISSING[label]] as const;
    const sides = sidesOf(frame, label);
    return parts.limitArms(`arm-${label}`, rate, ends, at, sides, pens, parts.UNIT, label === 0);
  });
}

/** Stretch of the curve on which an ideal recalibration stands, with hairlines to both axes. */
function arcMarks(evaluation: Evaluation, frame: Frame): Mark[] {
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.point;
  const ends = [
    ["lower", fprLower, tprLower],
    ["upper", fprUpper, tprUpper],
  ] as const;
  const hairlines = LABELS.flatMap((label) =>
    ends.map(([end, x, y]) =>
      parts.line(
        `arc-${label}-${end}`,
        "",
        label === 1 ? parts.pointsOf([0, x], [y, y]) : parts.pointsOf([x, x], [0, y]),
        parts.LIMITS[label],
      ),
    ),
  );
  const stretch: Points = { ...arcOf(observedCurve(evaluation), frame.point), step: "" };
  return [
    ...hairlines,
    parts.line("arc", words("key.recalibrated"), stretch, frame.notes.length > 0 ? REFUTED : ARC, true),
    ...ends.map(([end, x, y]) => parts.dot(`arc-${end}`, x, y, 4.5, RING, "paper")),
  ];
}

/** Limits of the comparators that are there and not hidden. */
export function comparatorMarks(picture: Picture): Area[] {
  return laidComparators(picture)
    .filter(({ item }) => !picture.page.hidden.includes(item.key))
    .map(({ item: { key, name, fpr: x }, lines }) => {
      const edge = (y: Float64Array): Points => ({ x, y, step: "" });
      const pen = { ...parts.comparatorPen(key), width: LIMITS_LINE };
      return parts.area(`comparator-${key}`, name, edge(lines.lower), edge(lines.upper), pen, "");
    });
}

export const comparatorSwitches = (picture: Picture): Switch[] =>
  laidComparators(picture).map(({ item: { key, name } }) => {
    const isOn = !picture.page.hidden.includes(key);
    return { id: `comparator-${key}`, name: key, text: name, isOn };
  });

/** Line on which the cost is that of the operating point. */
function costLine(picture: Picture): Mark[] {
  const { cost_ratio: cost, frame } = picture;
  if (cost === null) return [];
  const { fpr, tpr } = frame.point;
  const share = prevalenceOf(picture);
  const slope = (1 - share) / (share * cost);
  const x = [Math.max(0, fpr - tpr / slope), Math.min(1, fpr + (1 - tpr) / slope)];
  const y = x.map((each) => clamp(tpr + slope * (each - fpr), 0, 1));
  return [parts.line("same-cost", words("key.same_cost"), parts.pointsOf(x, y), SAME_COST)];
}

/** The point of least cost. */
function leastCostPoint(picture: Picture): Mark[] {
  const { cost_ratio: cost, evaluation } = picture;
  if (cost === null) return [];
  const { vertex } = leastCost(evaluation, prevalenceOf(picture), cost);
  const [fpr, tpr] = [evaluation.fpr[vertex], evaluation.tpr[vertex]];
  const diamond = parts.dot("least-cost", fpr, tpr, 6, DIAMOND, "paper");
  return [{ ...diamond, shape: "diamond" }];
}
