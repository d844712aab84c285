// The ROC curve alone, to guess from: no band, no limits, nothing promised.

import { rate } from "../base/format.ts";
import { atThreshold } from "../words/answer.ts";
import { NOTHING } from "../words/promise.ts";
import { plain, strong } from "../words/runs.ts";
import { ROC, rateReading, rocMarks } from "./roc.ts";
import { head, type View } from "./view.ts";

export const BARE: View = {
  ...ROC,
  marks: (picture) => rocMarks(picture, [], []),
  callout: (picture) => [head(picture)],
  answer(picture) {
    const { fpr, tpr } = picture.frame.point;
    const lead = [
      plain(`${atThreshold(picture)}sensitivity is `),
      strong(rate(tpr)),
      plain(" and specificity "),
      strong(rate(1 - fpr)),
      plain("."),
    ];
    return { lead, meaning: [plain("How sure is that? A band that is chosen above says so.")] };
  },
  promise: () => NOTHING,
  reading: (picture, x, y) => rateReading(picture, x, y, () => ""),
  switches: () => [],
};
