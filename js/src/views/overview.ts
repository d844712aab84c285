// The averaged curve of classes with its band, or the pooled one of folds, over the thin curves of each; its twin is
// views/overview.py.

import { areaText, limitsText, rate, thresholdText } from "../base/format.ts";
import { stopOf } from "../base/steps.ts";
import { words } from "../base/words.ts";
import { areaLimits } from "../evaluation/estimate.ts";
import { withConfidence } from "../evaluation/guarantee.ts";
import { nearestVertex, observedCurve } from "../evaluation/observed_curve.ts";
import type { Folds, Words } from "../evaluation/types.ts";
import type { Mark, Points, Text } from "../scene.ts";
import {
  averageAuc,
  averageOf,
  averageSides,
  meanAreaLimits,
  meanRate,
  meanRateLimits,
  readAt,
  readingOf,
} from "../shown/overview_numbers.ts";
import type { Picture } from "../shown/picture.ts";
import { NO_COMPARATORS } from "../wire/decode_comparators.ts";
import { type Answer, given, nameInLine } from "../words/answer.ts";
import { NOTHING, ofEachClass, ofEachFold } from "../words/promise.ts";
import { plain, type Run, runs, SAMPLING_TONE } from "../words/runs.ts";
import { nameAmong } from "../words/several_evaluations.ts";
import {
  ARMS,
  area,
  corner,
  cornerWithLimits,
  curve,
  cut,
  LIMITS,
  limitArms,
  line,
  MISSING,
  missingLimits,
  NO_LIMITS,
  pen,
  point,
} from "./parts.ts";
import { CHANCE, rocAxes } from "./roc.ts";
import { head, type Reading, rowsOf, type View } from "./view.ts";

const THIN = pen("axis");

export const OVERVIEW: View = {
  axes: () => rocAxes(),
  marks: (picture) => (picture.group.folds ? pooledMarks(picture) : averageMarks(picture)),
  callout(picture) {
    if (picture.group.folds) return [];
    return [head(picture)];
  },
  answer: (picture) =>
    picture.group.folds ? foldsAnswer(picture, picture.group.folds) : averageAnswer(picture),
  promise(picture) {
    const { together } = picture.group;
    if (hasLimits(picture)) return { ...averageLegend(picture), reach: "" };
    if (picture.band !== "sampling" || !together) return NOTHING;
    return { ...withConfidence(together, picture.frame.alpha), reach: "" };
  },
  numbers(picture) {
    const { fpr, tpr, tprLower, tprUpper } = averageOf(picture);
    return { columns: ["fpr", "tpr", "tpr_lower", "tpr_upper"], rows: rowsOf(fpr, tpr, tprLower, tprUpper) };
  },
  spoken(picture) {
    const { fpr, tpr, tprLower, tprUpper } = readingOf(picture);
    return [
      `threshold ${thresholdText(picture.frame.threshold)}`,
      `mean ${words("rate.fpr")} ${rate(fpr)}`,
      `mean ${words("rate.tpr")} ${rate(tpr)}, ${limitsText(tprLower, tprUpper, averageSides(picture))}`,
    ].join("; ");
  },
  track(picture) {
    const { fpr, tpr } = averageOf(picture);
    return { x: fpr, y: tpr };
  },
  reading(picture, x, y) {
    const { folds } = picture.group;
    if (folds) return pooledReading(folds, x, y);
    const { fpr, tpr, tprLower, tprUpper } = readAt(averageOf(picture), x);
    const limits = limitsText(tprLower, tprUpper, averageSides(picture));
    return {
      x: fpr,
      y: tpr,
      title: `${words("axis.specificity")} ${rate(fpr)}`,
      rows: [{ text: `Mean ${words("rate.sensitivity")} ${rate(tpr)}`, limits, tone: "label1" }],
    };
  },
  switches: () => [],
};

/** Whether averaged limits are drawn: a mean curve has none with more test data. */
const hasLimits = ({ group, band }: Picture) =>
  band !== "sampling" && (group.folds !== null || band !== "none");

/** The picture of one entry alone: its ROC curve with the band for sensitivity. */
export function pictureOfEntry(picture: Picture, i: number): Picture {
  const [evaluation, frame] = [picture.group.entries[i], picture.frames[i]];
  const group = { ...picture.group, kind: "single" as const };
  const page = { ...picture.page, arc: false };
  const alone = { group, page, cost_ratio: null, comparators: NO_COMPARATORS };
  return { ...picture, ...alone, shown: i, evaluation, frame, view: "roc", band: "sensitivity" };
}

/** What is read on the pooled curve, which has no limits. */
function pooledReading({ pooled }: Folds, atX: number, atY: number): Reading {
  const i = nearestVertex(pooled, atX, atY);
  const [x, y] = [pooled.x[i], pooled.y[i]];
  return {
    x,
    y,
    title: "pooled scores",
    rows: [
      { text: `${words("axis.sensitivity")} ${rate(y)}`, limits: "", tone: "ink" },
      { text: `${words("axis.specificity")} ${rate(x)}`, limits: "", tone: "ink" },
    ],
  };
}

/** The thin curve of each entry. They share one name, which stays in the key also if the corner leaves out the first of them. */
const thinCurves = ({ group }: Picture, name: string): Mark[] =>
  group.entries.map((entry, i) => line(`curve-${i}`, name, { ...observedCurve(entry), step: "" }, THIN));

function pooledMarks(picture: Picture): Mark[] {
  const { folds } = picture.group;
  if (folds === null) return [];
  return [
    ...thinCurves(picture, "a fold"),
    CHANCE,
    curve({ ...folds.pooled, step: "" }, "pooled scores"),
    corner(words("corner.auc", { auc: areaText([folds.auc])(folds.auc) })),
  ];
}

function averageMarks(picture: Picture): Mark[] {
  const { fpr: x, tpr, tprLower, tprUpper } = averageOf(picture);
  const over = (y: Float64Array): Points => ({ x, y, step: "across" });
  const here = readingOf(picture);
  const sides = averageSides(picture);
  const look = sides[0] || sides[1] ? LIMITS[1] : NO_LIMITS;
  const key = words("key.averaged_limits") + missingLimits(sides);
  const ends = [here.tprLower, here.tprUpper] as const;
  const isBounded = hasLimits(picture);
  return [
    ...(isBounded
      ? [area("averaged-band", key, over(tprLower), over(tprUpper), look, look.colour, { sides })]
      : []),
    ...thinCurves(picture, words("key.a_class")),
    CHANCE,
    curve(over(tpr), words("key.mean")),
    ...areaCorner(picture),
    cut(here.fpr),
    ...(isBounded ? limitArms("arm-1", here.tpr, ends, here.fpr, sides, [ARMS[1], MISSING[1]]) : []),
    ...point(here.fpr, here.tpr, picture.frame.threshold),
  ];
}

/** More classes than this are counted in the answer; the promise names them all. */
const MOST_NAMES = 2;

function averageAnswer(picture: Picture): Answer {
  const { entries } = picture.group;
  const [specificity, sensitivity] = ([0, 1] as const).map((label) => meanRate(picture, label));
  const values = { ...given(picture), tpr: sensitivity.observed, specificity: specificity.observed };
  if (!hasLimits(picture)) {
    const lead = picture.band === "sampling" ? settledRates(picture, values) : runs("average.rates", values);
    return { lead, meaning: settledAreas(picture) };
  }
  const nameOf = (i: number) => nameInLine(nameAmong(picture.group, entries[i]));
  const { rates, lower, upper, sides } = sensitivity;
  const without = rates.flatMap((each, i) => (each.sides.every(Boolean) ? [] : [nameOf(i)]));
  if (without.length > 0) {
    const n = without.length;
    const names = n > MOST_NAMES ? words("several.classes", { n }) : without.join(" and ");
    return {
      lead: runs("average.limits_without", values, "label1"),
      meaning: runs("average.little", { n, names }),
    };
  }
  const widths = rates.map((each) => each.upper - each.lower);
  const [wide, narrow] = [Math.max(...widths), Math.min(...widths)].map((width) => widths.indexOf(width));
  const limitsOf = (i: number) => limitsText(rates[i].lower, rates[i].upper, rates[i].sides);
  const ends = {
    widest: nameOf(wide),
    wide: limitsOf(wide),
    narrowest: nameOf(narrow),
    narrow: limitsOf(narrow),
  };
  return {
    lead: runs("average.limits", { ...values, limits: limitsText(lower, upper, sides) }, "label1"),
    meaning: wide === narrow ? [] : runs("average.widest", ends),
  };
}

/** Where both mean rates would settle with more test data, or why nobody knows it. */
function settledRates(
  picture: Picture,
  values: Parameters<typeof runs>[1] & { tpr: number; specificity: number },
) {
  const of0 = meanRateLimits(picture, 0, values.specificity);
  const of1 = meanRateLimits(picture, 1, values.tpr);
  if (!of0 || !of1) return [...runs("average.rates", values), plain(" "), ...runs("average.rates_unknown")];
  const ends = { low: of0[0], high: of0[1], tpr_low: of1[0], tpr_high: of1[1] };
  return runs("average.rates_settle", { ...values, ...ends }, SAMPLING_TONE);
}

/** The mean area, with its limits where they are known; a curve to guess from has none. */
function areaCorner(picture: Picture): Text[] {
  const { band, frame } = picture;
  const { auc } = averageAuc(picture);
  const limits = band === "none" ? null : meanAreaLimits(picture);
  const text = areaText([auc, ...(limits ?? [])]);
  const key = band === "sampling" ? "corner.auc_limits" : "corner.auc_limits_more";
  const below =
    limits && words(key, { lower: text(limits[0]), upper: text(limits[1]), level: 1 - frame.alpha });
  return cornerWithLimits(words("corner.mean_auc", { auc: text(auc) }), below);
}

/** Where areas and their mean would settle with more test data, and which is the least sure; as far as is known. */
function settledAreas(picture: Picture): Run[] {
  const { group, frame, band } = picture;
  const areas = group.entries.flatMap((entry) =>
    entry.area ? [{ entry, limits: areaLimits(entry.auc, entry.area, frame.alpha) }] : [],
  );
  if (band !== "sampling") return [];
  const text = areaText(group.entries.map(({ auc }) => auc));
  const level = 1 - frame.alpha;
  const mean = meanAreaLimits(picture)?.map(text);
  const ofMean = mean
    ? runs("average.mean_settles", { level, lower: mean[0], upper: mean[1] }, SAMPLING_TONE)
    : [];
  if (areas.length === 0) return ofMean;
  const width = ({ limits: [lower, upper] }: (typeof areas)[number]) => upper - lower;
  const { entry, limits } = areas.reduce((best, each) => (width(each) > width(best) ? each : best));
  const values = {
    level,
    widest: nameInLine(nameAmong(group, entry)),
    limits: limits.map(text).join(" to "),
  };
  return mean
    ? [...ofMean, plain(" "), ...runs("average.least_sure", values)]
    : runs("average.settles", values, SAMPLING_TONE);
}

/** The mean area with its limits, and the pooled curve with its caveat. */
function foldsAnswer({ group, frame, wanted, band }: Picture, { mean, limits, method, auc }: Folds): Answer {
  const stop = stopOf(wanted.alpha);
  const known = frame.alpha === wanted.alpha && frame.mean;
  const [lower, upper] = known || (stop < 0 ? [0, 1] : [limits[0][stop], limits[1][stop]]);
  const level = 1 - wanted.alpha;
  return {
    lead: runs(
      "folds.mean",
      { folds: words("several.folds", { n: group.entries.length }), mean, lower, upper, level },
      SAMPLING_TONE,
    ),
    // With more test data the promise below is that of the mean, and says so itself.
    meaning: [
      ...(band === "sampling"
        ? []
        : [...runs("folds.promise", { after: group.together?.line.after ?? "", method }), plain(" ")]),
      ...runs("folds.pooled", { auc }),
    ],
  };
}

function averageLegend(picture: Picture): Words {
  const { group, frame } = picture;
  if (group.kind === "folds") return ofEachFold(frame);
  const { withoutLimits } = averageOf(picture);
  const names = withoutLimits.map((i) => nameAmong(group, group.entries[i])).join(", ");
  return ofEachClass(frame, names);
}
