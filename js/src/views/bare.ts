// Draws the ROC curve for the band "none". The user is to guess the limits first, so limits, verdict and guarantee are
// hidden.

import { rate, thresholdText } from "../base/format.ts";
import { words } from "../base/words.ts";
import { given } from "../words/answer.ts";
import { NOTHING } from "../words/promise.ts";
import { rowsOf } from "../words/rows.ts";
import { runs } from "../words/runs.ts";
import { ROC, rateReading, rocMarks } from "./roc.ts";
import { rowsOf as rowsOfColumns, type View } from "./view.ts";

export const BARE: View = {
  ...ROC,
  marks: (picture) => rocMarks(picture, {}),
  answer(picture) {
    const { fpr, tpr } = picture.frame.point;
    const { nRows } = picture.evaluation;
    const ones = { observed: tpr, n: nRows[1], rows: rowsOf(picture, 1) };
    const zeros = { cleared: 1 - fpr, others: nRows[0], rest: rowsOf(picture, 0) };
    const key = picture.evaluation.unlabelled ? "say.expected_bare" : "say.bare";
    return { lead: runs(key, { ...given(picture), ...ones, ...zeros }), meaning: [] };
  },
  promise: () => NOTHING,
  numbers: ({ evaluation: { thresholds, fpr, tpr } }) => ({
    columns: ["threshold", "fpr", "tpr"],
    rows: rowsOfColumns(thresholds, fpr, tpr),
  }),
  spoken: ({ frame: { threshold, point } }) =>
    `threshold ${thresholdText(threshold)}; ${words("rate.tpr")} ${rate(point.tpr)}; ${words("rate.fpr")} ${rate(point.fpr)}`,
  reading: (picture, x, y) => rateReading(picture, x, y, () => ""),
  switches: () => [],
};
