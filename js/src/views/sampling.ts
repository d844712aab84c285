// Draws the ROC curve with confidence limits for this classifier in the population: a comparator's band, and error bars
// of both rates.

import { share, shareRange, thresholdText } from "../base/format.ts";
import { words } from "../base/words.ts";
import { FIRST_LOOK } from "../evaluation/looks.ts";
import type { Label } from "../evaluation/types.ts";
import { type DrawnComparator, limitsAt, sampledBy, statementAt } from "../shown/comparators.ts";
import { goalAtThreshold } from "../shown/goal.ts";
import { isAnyLook, isBeforeLooks } from "../shown/looks.ts";
import { ownLimits } from "../shown/own_limits.ts";
import type { Picture } from "../shown/picture.ts";
import { type Answer, byLabel, given, labelAsked, limitsWords, noRisks, sureWords } from "../words/answer.ts";
import { goalLimit } from "../words/goal.ts";
import { NOTHING } from "../words/promise.ts";
import { rowsOf } from "../words/rows.ts";
import { runs, SAMPLING_TONE } from "../words/runs.ts";
import { ownArea, ownCross } from "./own.ts";
import { ROC, rateReading, rocMarks } from "./roc.ts";
import { rowsOf as rowsOfColumns, type View } from "./view.ts";

export const SAMPLING: View = {
  ...ROC,
  marks(picture) {
    const sampled = sampledBy(picture);
    const { noun } = picture;
    const level = 1 - picture.frame.alpha;
    const method = sampled?.item.name ?? "";
    const lines = [
      words("name.curve", { noun }),
      ...(sampled && isAtOnce(sampled)
        ? [words("name.all", { level, method })]
        : [words("name.pointwise", { level }), words("name.one", { method })]),
    ];
    const bands = sampled
      ? [{ area: ownArea("band-sampling", words("key.like_these", { noun }), sampled), lines }]
      : [];
    return rocMarks(picture, { bands, above: ownCross(picture, "arm") });
  },
  answer: samplingAnswer,
  promise(picture) {
    const sampled = sampledBy(picture);
    if (!sampled) return NOTHING;
    return { ...statementAt(sampled.item, sampled.lines).words, reach: "" };
  },
  numbers(picture) {
    const sampled = sampledBy(picture);
    if (!sampled) return ROC.numbers(picture);
    const { thresholds, fpr, tpr } = picture.evaluation;
    const limits = Array.from(fpr, (at) => limitsAt(sampled, at));
    const [lower, upper] = [0, 1].map((end) => Float64Array.from(limits, (each) => each[end]));
    return {
      columns: ["threshold", "fpr", "tpr", "tpr_lower", "tpr_upper"],
      rows: rowsOfColumns(thresholds, fpr, tpr, lower, upper),
    };
  },
  spoken: (picture) =>
    `threshold ${thresholdText(picture.frame.threshold)}; ${rateText(picture, 1)}; ${rateText(picture, 0)}`,
  reading(picture, x, y) {
    const sampled = sampledBy(picture);
    return rateReading(picture, x, y, (frame, label, i) =>
      sampled && label === 1 && frame === picture.frame
        ? shareRange(...limitsAt(sampled, picture.evaluation.fpr[i]))
        : "",
    );
  },
  switches: () => [],
};

/** Whether a comparator's band holds at all false positive rates at once. */
const isAtOnce = ({ item }: DrawnComparator) => item.line.chosen === "any";

function rateText(picture: Picture, label: Label): string {
  const { tpr, fpr } = picture.frame.point;
  const limits = ownLimits(picture, label);
  const observed = share(label === 1 ? tpr : 1 - fpr);
  const name = words(label === 1 ? "rate.sensitivity" : "rate.specificity");
  return limits ? `${name} ${observed}, ${shareRange(...limits)}` : `${name} ${observed}`;
}

/** Writes the main rate on these rows, and its confidence limits in the population. */
function samplingAnswer(picture: Picture): Answer {
  const label = labelAsked(picture);
  const { tpr, fpr } = picture.frame.point;
  const goal = goalAtThreshold(picture);
  const limits = ownLimits(picture, label);
  const values = {
    ...given(picture),
    observed: label === 1 ? tpr : 1 - fpr,
    n: picture.evaluation.nRows[label],
    rows: rowsOf(picture, label),
  };
  const meaning = noRisks(picture.evaluation);
  if (goal?.label === label) {
    const sure = words("say.sure", { level: 1 - picture.frame.alpha });
    const said = { ...values, limits: goalLimit(goal.least), sure };
    return { lead: runs(byLabel(label, ["say.clears", "say.finds"] as const), said, SAMPLING_TONE), meaning };
  }
  if (limits === null) {
    const said = { ...values, why: whyNone(picture) };
    return { lead: runs(byLabel(label, ["say.clears_here", "say.finds_here"] as const), said), meaning };
  }
  const said = { ...values, limits: limitsWords(limits), sure: sureWords(picture, "beforehand") };
  return { lead: runs(byLabel(label, ["say.clears", "say.finds"] as const), said, SAMPLING_TONE), meaning };
}

/** Returns why a figure has no limits yet, or cannot have any. */
export function whyNone(picture: Picture): string {
  const { offered, source, asking } = picture;
  if (isAnyLook(picture) && picture.view !== "roc") return words("say.not_at_looks");
  if (isBeforeLooks(picture)) return words("say.before_looks", { rows: FIRST_LOOK, noun: picture.noun });
  if (!offered.sampling || source === "static") return words("say.not_known");
  return words(asking ? "say.waiting" : "say.being_made");
}
