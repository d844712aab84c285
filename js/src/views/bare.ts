// The ROC curve alone, to guess from: no band, no limits, nothing promised.

import { given } from "../words/answer.ts";
import { NOTHING } from "../words/promise.ts";
import { plain, runs } from "../words/runs.ts";
import { ROC, rateReading, rocMarks } from "./roc.ts";
import { head, type View } from "./view.ts";

export const BARE: View = {
  ...ROC,
  marks: (picture) => rocMarks(picture, [], []),
  callout: (picture) => [head(picture)],
  answer(picture) {
    const { fpr, tpr } = picture.frame.point;
    const lead = runs("answer.bare", { ...given(picture), tpr, specificity: 1 - fpr });
    return { lead, meaning: [plain("How sure is that? A band that is chosen above says so.")] };
  },
  promise: () => NOTHING,
  reading: (picture, x, y) => rateReading(picture, x, y, () => ""),
  switches: () => [],
};
