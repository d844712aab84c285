// The ROC curve, and where it would settle with more test data: the band of a comparator; its twin is views/sampling.py.

import { range, rate } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { settledAt, settledRate } from "../evaluation/settled.ts";
import type { Mark } from "../scene.ts";
import { type DrawnComparator, limitsAt, sampledBy, statementAt } from "../shown/comparators.ts";
import type { Picture } from "../shown/picture.ts";
import { type Answer, given } from "../words/answer.ts";
import { mostlyOf, mostlyText } from "../words/kept.ts";
import { nounOf } from "../words/one_evaluation.ts";
import { NOTHING } from "../words/promise.ts";
import { plain, type Run, runs, SAMPLING_TONE } from "../words/runs.ts";
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
    return rocMarks(picture, [], sampled ? [bandOf(sampled)] : [], cross(picture));
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

/** Limits of specificity and sensitivity at this threshold; null where nobody knows them. */
export function settledRates({ evaluation, frame, wanted }: Picture): Pair<Pair<number> | null> {
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  const settled = settledAt(evaluation, point, wanted.threshold);
  if (settled === null) return [null, null];
  const [low, high] = settledRate(settled, 0, frame.alpha);
  return [[1 - high, 1 - low], settledRate(settled, 1, frame.alpha)];
}

/** Arms of both rates' limits at the point. */
function cross({ evaluation, frame }: Picture): Mark[] {
  const { fpr, tpr } = frame.point;
  const settled = settledAt(evaluation, frame.point, frame.threshold);
  if (settled === null) return [];
  const ends = settledRate(settled, 0, frame.alpha);
  const [level, ...caps] = arm("arm-0", ends, tpr, SAMPLING_ARMS, UNIT, true);
  const upright = arm("arm-1", settledRate(settled, 1, frame.alpha), fpr, SAMPLING_ARMS);
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
  return runs("answer.settles_unseen", values);
}

/** What the limits are about, and where a threshold would mostly fall if the line has room for it. */
export function pins(picture: Picture, hasRoom = true): Run[] {
  const { nRows } = picture.evaluation;
  const rest = hasRoom ? `; ${restOf(picture)}` : "";
  return [plain(words("answer.pins", { n: nRows[0] + nRows[1], rest }))];
}
