// The ROC curve, and where it would settle with more test data: the band of a comparator; its twin is views/sampling.py.

import { range, rate } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { exactLimits } from "../evaluation/exact_limits.ts";
import type { Mark } from "../scene.ts";
import { type DrawnComparator, limitsAt, sampledBy, statementAt } from "../shown/comparators.ts";
import type { Picture } from "../shown/picture.ts";
import { type Answer, given } from "../words/answer.ts";
import { mostlyOf, mostlyText } from "../words/kept.ts";
import { nounOf } from "../words/one_evaluation.ts";
import { NOTHING } from "../words/promise.ts";
import { plain, type Run, runs, SAMPLING_TONE, strong } from "../words/runs.ts";
import { area, arm, SAMPLING_ARMS, SAMPLING_EDGES, UNIT } from "./parts.ts";
import { ROC, rateReading, rocMarks } from "./roc.ts";
import { head, rowsOf, type View } from "./view.ts";

const bandOf = ({ item: { fpr: x }, lines: { lower, upper } }: DrawnComparator): Mark =>
  area(
    "band-sampling",
    words("key.more_data"),
    { x, y: lower, step: "" },
    { x, y: upper, step: "" },
    SAMPLING_EDGES,
  );

export const SAMPLING: View = {
  ...ROC,
  marks(picture) {
    const sampled = sampledBy(picture);
    return rocMarks(picture, [], sampled ? [bandOf(sampled)] : [], cross(picture, sampled));
  },
  callout(picture) {
    const [specificity, sensitivity] = settledRates(picture);
    const rows = [
      ...(sensitivity ? [[plain(`sensitivity ${range(...sensitivity)}`, SAMPLING_TONE)]] : []),
      ...(specificity ? [[plain(`specificity ${range(...specificity)}`, SAMPLING_TONE)]] : []),
    ];
    return [head(picture), ...rows];
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
    const { lower, upper } = sampled.lines;
    return { columns: ["fpr", "tpr_lower", "tpr_upper"], rows: rowsOf(sampled.item.fpr, lower, upper) };
  },
  reading(picture, x, y) {
    const sampled = sampledBy(picture);
    return rateReading(picture, x, y, (frame, label, i) =>
      sampled && label === 1 && frame === picture.frame
        ? range(...limitsAt(sampled, picture.evaluation.fpr[i]))
        : "",
    );
  },
  switches: () => [],
};

/** Limits of specificity and sensitivity at this threshold: exact, or the band's where rows are not independent. */
export function settledRates(picture: Picture): Pair<Pair<number> | null> {
  const { evaluation, frame, wanted } = picture;
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  if (evaluation.weighted) {
    const sampled = sampledBy(picture);
    return [null, sampled ? limitsAt(sampled, point.fpr) : null];
  }
  const { tp, fp, tn, fn } = point;
  return [exactLimits(tn, tn + fp, frame.alpha), exactLimits(tp, tp + fn, frame.alpha)];
}

/** Arms of both rates' limits at the point; these are exact, unlike the band. */
function cross(picture: Picture, sampled: DrawnComparator | undefined): Mark[] {
  const { evaluation, frame } = picture;
  const { fpr, tpr, tp, fp, tn, fn } = frame.point;
  if (evaluation.weighted) return sampled ? arm("arm-1", limitsAt(sampled, fpr), fpr, SAMPLING_ARMS) : [];
  const [level, ...caps] = arm(
    "arm-0",
    exactLimits(fp, fp + tn, frame.alpha),
    tpr,
    SAMPLING_ARMS,
    UNIT,
    true,
  );
  const upright = arm("arm-1", exactLimits(tp, tp + fn, frame.alpha), fpr, SAMPLING_ARMS);
  return [{ ...level, key: words("key.rates_here") }, ...caps, ...upright];
}

function restOf(picture: Picture): string {
  const mostly = mostlyOf(picture);
  return mostly ? mostlyText(picture, mostly) : words("answer.no_ideal_model");
}

function samplingAnswer(picture: Picture): Answer {
  const [, limits] = settledRates(picture);
  return {
    lead: settles(picture, nounOf(1), rate(picture.frame.point.tpr), limits, rate),
    meaning: pins(picture),
  };
}

/** A figure, and where it would settle. */
export function settles(
  picture: Picture,
  noun: string,
  observed: string,
  limits: Pair<number> | null,
  text: (value: number) => string,
): Run[] {
  const values = { ...given(picture), rate: noun, observed };
  if (limits)
    return runs(
      "answer.settles",
      { ...values, lower: text(limits[0]), upper: text(limits[1]) },
      SAMPLING_TONE,
    );
  const isMade = picture.offered.sampling && picture.source !== "static";
  if (!isMade) return runs("answer.settles_unseen", values);
  return [
    plain(`${values.start}${noun} is `),
    strong(observed),
    plain(`; its band ${picture.asking ? "waits for the kernel" : "is being made"}.`),
  ];
}

/** What the limits are about, and where a threshold would mostly fall if the line has room for it. */
export function pins(picture: Picture, hasRoom = true): Run[] {
  const { nRows } = picture.evaluation;
  const rest = hasRoom ? `; ${restOf(picture)}` : "";
  return [plain(words("answer.pins", { n: nRows[0] + nRows[1], rest }))];
}
