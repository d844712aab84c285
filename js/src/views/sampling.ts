// The ROC curve, and where it would settle with more test data: the band of a comparator; its twin is views/sampling.py.

import { range } from "../base/format.ts";
import { limitsAt, sampledBy } from "../sync/comparators.ts";
import { comparatorTone, plain } from "../words/runs.ts";
import { arm, comparatorPen } from "./parts.ts";
import { ROC, rocMarks } from "./roc.ts";
import { head, type View } from "./view.ts";

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
        {
          kind: "area",
          id: "band-sampling",
          key: "this classifier, more test data",
          upper: { x, y: upper, step: "" },
          lower: { x, y: lower, step: "" },
          pen: { colour, width: 1, dashes: [] },
          fill: colour,
          strength: 1,
          sides: [true, true],
        },
      ],
      arm("arm-1", limitsAt(sampled, fpr), fpr, { colour, width: 2, dashes: [] }),
    );
  },
  callout(picture) {
    const sampled = sampledBy(picture);
    if (!sampled) return [head(picture)];
    const limits = range(...limitsAt(sampled, picture.frame.point.fpr));
    return [head(picture), [plain(`with more data ${limits}`, comparatorTone(sampled.item.key))]];
  },
  switches: () => [],
};
