// The ROC curve, and where it would settle with more test data: the band of a comparator; its twin is views/sampling.py.

import { count, percent, range, rate } from "../base/format.ts";
import { limitsAt, sampledBy, statementAt } from "../sync/comparators.ts";
import type { Picture } from "../sync/view_model.ts";
import { type Answer, atThreshold, between } from "../words/answer.ts";
import { NOTHING } from "../words/promise.ts";
import { comparatorTone, plain, strong } from "../words/runs.ts";
import { area, arm, comparatorPen, pen } from "./parts.ts";
import { ROC, rateReading, rocMarks } from "./roc.ts";
import { head, rowsOf, type View } from "./view.ts";

export const SAMPLING: View = {
  ...ROC,
  marks(picture) {
    const sampled = sampledBy(picture);
    if (!sampled) return rocMarks(picture, [], []);
    const { key, fpr: x } = sampled.item;
    const { lower, upper } = sampled.lines;
    const { colour } = comparatorPen(key);
    const { fpr } = picture.frame.point;
    return rocMarks(
      picture,
      [],
      [
        area(
          "band-sampling",
          "this classifier, more test data",
          { x, y: lower, step: "" },
          { x, y: upper, step: "" },
          pen(colour),
        ),
      ],
      arm("arm-1", limitsAt(sampled, fpr), fpr, pen(colour, 2)),
    );
  },
  callout(picture) {
    const sampled = sampledBy(picture);
    if (!sampled) return [head(picture)];
    const limits = range(...limitsAt(sampled, picture.frame.point.fpr));
    return [head(picture), [plain(`with more data ${limits}`, comparatorTone(sampled.item.key))]];
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

function samplingAnswer(picture: Picture): Answer {
  const { nRows } = picture.evaluation;
  const { fpr, tpr } = picture.frame.point;
  const sampled = sampledBy(picture);
  const lead = [plain(`${atThreshold(picture)}sensitivity is `), strong(rate(tpr))];
  return {
    lead: sampled
      ? [
          ...lead,
          plain("; with much more test data it would settle "),
          between(limitsAt(sampled, fpr), comparatorTone(sampled.item.key)),
          plain(` (${percent(1 - sampled.lines.alpha)}).`),
        ]
      : [
          ...lead,
          plain(picture.offered.sampling ? "; its band is being made." : "; this page holds no such band."),
        ],
    meaning: [
      plain(
        `How well ${count(nRows[0] + nRows[1])} test points pin this classifier down; an ideal model has no part in it.`,
      ),
    ],
  };
}
