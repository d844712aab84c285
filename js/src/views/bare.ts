// The ROC curve alone, to guess from: no band, no limits, no verdict, nothing promised.

import { given } from "../words/answer.ts";
import { NOTHING } from "../words/promise.ts";
import { rowsOf } from "../words/rows.ts";
import { runs } from "../words/runs.ts";
import { ROC, rateReading, rocMarks } from "./roc.ts";
import type { View } from "./view.ts";

export const BARE: View = {
  ...ROC,
  marks: (picture) => rocMarks(picture, {}),
  answer(picture) {
    const { fpr, tpr } = picture.frame.point;
    const { nRows } = picture.evaluation;
    const ones = { observed: tpr, n: nRows[1], rows: rowsOf(picture, 1) };
    const zeros = { cleared: 1 - fpr, others: nRows[0], rest: rowsOf(picture, 0) };
    return { lead: runs("say.bare", { ...given(picture), ...ones, ...zeros }), meaning: [] };
  },
  promise: () => NOTHING,
  reading: (picture, x, y) => rateReading(picture, x, y, () => ""),
  switches: () => [],
};
