// Draws all evaluations together: the thin curve of each, and over them the average curve of classes with its band, or
// the pooled curve of folds.

import { areaText, capital, share, shareLimits, shareRange, thresholdText } from "../base/format.ts";
import { stopOf } from "../base/steps.ts";
import { words } from "../base/words.ts";
import { withConfidence } from "../evaluation/guarantee.ts";
import { nearestVertex, observedCurve } from "../evaluation/observed_curve.ts";
import type { Folds, Words } from "../evaluation/types.ts";
import type { Mark, Points, Reading, Text } from "../scene.ts";
import { isUnlimited } from "../shown/goal.ts";
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
import { type Answer, given, labelAsked, sureWords, trueSureWords } from "../words/answer.ts";
import { NOTHING, ofEachClass, ofEachFold } from "../words/promise.ts";
import { runs, SAMPLING_TONE, TONES } from "../words/runs.ts";
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
import { rowsOf, type View } from "./view.ts";

const THIN = pen("axis");

export const OVERVIEW: View = {
  axes: () => rocAxes(),
  marks: (picture) => (picture.group.folds ? pooledMarks(picture) : averageMarks(picture)),
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
    if (isUnlimited(picture)) return { columns: ["fpr", "tpr"], rows: rowsOf(fpr, tpr) };
    return { columns: ["fpr", "tpr", "tpr_lower", "tpr_upper"], rows: rowsOf(fpr, tpr, tprLower, tprUpper) };
  },
  spoken(picture) {
    const { fpr, tpr, tprLower, tprUpper } = readingOf(picture);
    const limits = `, ${shareLimits(tprLower, tprUpper, averageSides(picture))}`;
    return [
      `threshold ${thresholdText(picture.frame.threshold)}`,
      `mean ${words("rate.fpr")} ${share(fpr)}`,
      `mean ${words("rate.tpr")} ${share(tpr)}${isUnlimited(picture) ? "" : limits}`,
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
    const limits = hasLimits(picture) ? shareLimits(tprLower, tprUpper, averageSides(picture)) : "";
    return {
      x: fpr,
      y: tpr,
      title: `${words("axis.specificity")} ${share(fpr)}`,
      rows: [{ text: `Mean ${words("rate.sensitivity")} ${share(tpr)}`, limits, tone: "label1" }],
    };
  },
  switches: () => [],
};

/** Whether limits of the average are drawn. An average curve has none for the band "sampling". */
const hasLimits = (picture: Picture) => picture.band !== "sampling" && !isUnlimited(picture);

/**
 * Returns the picture of one of the evaluations: its ROC curve with the band of the sensitivity. It has no goal, because
 * the average and the pooled curve have none.
 */
export function pictureOfEntry(picture: Picture, i: number): Picture {
  const [evaluation, frame] = [picture.group.entries[i], picture.frames[i]];
  const group = { ...picture.group, kind: "single" as const };
  const page = { ...picture.page, arc: false };
  const alone = { group, page, goal: null, cost_ratio: null, comparators: NO_COMPARATORS };
  return { ...picture, ...alone, shown: i, evaluation, frame, view: "roc", band: "sensitivity" };
}

/** Returns the rates at the pooled curve's vertex nearest to a position. They have no limits. */
function pooledReading({ pooled }: Folds, atX: number, atY: number): Reading {
  const i = nearestVertex(pooled, atX, atY);
  const [x, y] = [pooled.x[i], pooled.y[i]];
  return {
    x,
    y,
    title: "pooled scores",
    rows: [
      { text: `${words("axis.sensitivity")} ${share(y)}`, limits: "", tone: "ink" },
      { text: `${capital(words("rate.specificity"))} ${share(1 - x)}`, limits: "", tone: "ink" },
    ],
  };
}

/**
 * Returns a thin curve for each evaluation. All curves have the same name in the key. So the name stays in
 * the key even if the first curve is outside the magnified corner.
 */
const thinCurves = ({ group }: Picture, name: string): Mark[] =>
  group.entries.map((entry, i) => line(`curve-${i}`, name, { ...observedCurve(entry), step: "" }, THIN));

function pooledMarks(picture: Picture): Mark[] {
  const { folds } = picture.group;
  if (folds === null) return [];
  return [
    ...thinCurves(picture, "a fold"),
    ...CHANCE,
    curve({ ...folds.pooled, step: "" }, "pooled scores"),
    corner(words("corner.pooled_auc", { auc: foldAreas(picture, folds).text(folds.auc) })),
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
    ...CHANCE,
    curve(over(tpr), words("key.mean")),
    ...areaCorner(picture),
    cut(here.fpr),
    ...(isBounded ? limitArms("arm-1", here.tpr, ends, here.fpr, sides, [ARMS[1], MISSING[1]]) : []),
    ...point(here.fpr, here.tpr, picture.frame.threshold),
  ];
}

/** Words for the mean sensitivity and the mean specificity. */
const FINDS = { does: "it finds", do: "find", worst: "Fewest" };
const CLEARS = { does: "its specificity is", do: "have", worst: "Lowest" };

/** Writes the mean of the classes' rates, its limits for the chosen band, and the class with the smallest rate. */
function averageAnswer(picture: Picture): Answer {
  const { band, group } = picture;
  const label = labelAsked(picture);
  const { observed, rates, lower, upper, sides } = meanRate(picture, label);
  const fewest = rates.reduce((least, each, i) => (each.observed < rates[least].observed ? i : least), 0);
  const values = {
    ...given(picture),
    ...{ observed, sure: sureWords(picture, "beforehand") },
    ...(label === 1 ? FINDS : CLEARS),
    ...{ least: nameAmong(group, group.entries[fewest]), fewest: rates[fewest].observed },
  };
  if (hasLimits(picture)) {
    const limits = shareLimits(lower, upper, sides);
    const key = sides[0] && sides[1] && upper - lower < 1 ? "say.true_classes" : "say.true_average_none";
    return {
      lead: runs(key, { ...values, limits, sure: trueSureWords(picture) }, TONES[label]),
      meaning: [],
    };
  }
  const known = band === "sampling" ? meanRateLimits(picture, label, observed) : null;
  if (known === null)
    return {
      lead: runs("say.classes_here", {
        ...values,
        why: words(band === "none" ? "say.hidden" : "say.not_known"),
      }),
      meaning: [],
    };
  return {
    lead: runs("say.classes", { ...values, limits: shareRange(...known) }, SAMPLING_TONE),
    meaning: [],
  };
}

/** Returns the texts of the mean area and of its limits, if these are known. */
function areaCorner(picture: Picture): Text[] {
  const { frame } = picture;
  const { auc } = averageAuc(picture);
  const limits = isUnlimited(picture) ? null : meanAreaLimits(picture);
  const text = areaText([auc, ...(limits ?? [])]);
  const below =
    limits &&
    words("corner.limits", { lower: text(limits[0]), upper: text(limits[1]), level: 1 - frame.alpha });
  return cornerWithLimits(words("corner.mean_auc", { auc: text(auc) }), below);
}

/**
 * Writes the mean of the folds' rates on their own rows, their mean area with its limits, and a warning about the
 * pooled curve.
 */
function foldsAnswer(picture: Picture, ofFolds: Folds): Answer {
  const { group, wanted, frames } = picture;
  const { ends, text } = foldAreas(picture, ofFolds);
  const [auc, lower, upper] = [ofFolds.mean, ...ends].map(text);
  const observed = frames.reduce((sum, { point }) => sum + point.tpr, 0) / frames.length;
  const folds = words("several.folds", { n: group.entries.length });
  const said = {
    folds,
    observed,
    mean: auc,
    lower,
    upper,
    sure: words("say.sure", { level: 1 - wanted.alpha }),
  };
  return {
    lead: runs(
      isUnlimited(picture) ? "say.folds_here" : "say.folds",
      { ...given(picture), ...said },
      SAMPLING_TONE,
    ),
    meaning: runs("say.pooled"),
  };
}

/**
 * Returns the limits of the folds' mean area, and the function that writes it and the area of the pooled curve. Both are
 * on the screen together, so they have equally many decimals.
 */
function foldAreas({ wanted, frame }: Picture, { auc, mean, limits }: Folds) {
  const stop = stopOf(wanted.alpha);
  const known = frame.alpha === wanted.alpha && frame.mean;
  const ends = known || (stop < 0 ? [0, 1] : [limits[0][stop], limits[1][stop]]);
  return { ends, text: areaText([auc, mean, ...ends]) };
}

function averageLegend(picture: Picture): Words {
  const { group, frame } = picture;
  if (group.kind === "folds") return ofEachFold(frame);
  const { withoutLimits } = averageOf(picture);
  const names = withoutLimits.map((i) => nameAmong(group, group.entries[i])).join(", ");
  return ofEachClass(frame, names);
}
