// The averaged curve of classes with its band, or the pooled one of folds, over the thin curves of each; its twin is
// views/overview.py.

import { range, rate, thresholdText } from "../base/format.ts";
import { observedCurve } from "../evaluation/observed_curve.ts";
import type { Mark, Points } from "../scene.ts";
import { averageAuc, averageOf, readingOf } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { plain } from "../words/runs.ts";
import { ARMS, arm, corner, curve, cut, LIMITS, line, pen, point } from "./parts.ts";
import { CHANCE, rocAxes } from "./roc.ts";
import { head, type View } from "./view.ts";

const THIN = pen("axis");

export const OVERVIEW: View = {
  axes: () => rocAxes(),
  marks: (picture) => (picture.group.folds ? pooledMarks(picture) : averageMarks(picture)),
  callout(picture) {
    if (picture.group.folds) return [];
    const { tprLower, tprUpper } = readingOf(picture);
    return [head(picture), [plain(`averaged limits ${range(tprLower, tprUpper)}`, "label1")]];
  },
  spoken(picture) {
    const { fpr, tpr, tprLower, tprUpper } = readingOf(picture);
    return [
      `threshold ${thresholdText(picture.frame.threshold)}`,
      `mean false positive rate ${rate(fpr)}`,
      `mean true positive rate ${rate(tpr)}, ${range(tprLower, tprUpper)}`,
    ].join("; ");
  },
  track(picture) {
    const { fpr, tpr } = averageOf(picture);
    return { x: fpr, y: tpr };
  },
  switches: () => [],
};

/** The curve of each; the first one names them. */
const thinCurves = ({ group }: Picture, name: string): Mark[] =>
  group.entries.map((entry, i) =>
    line(`curve-${i}`, i === 0 ? name : "", { ...observedCurve(entry), step: "" }, THIN),
  );

function pooledMarks(picture: Picture): Mark[] {
  const { folds } = picture.group;
  if (folds === null) return [];
  return [
    ...thinCurves(picture, "a fold"),
    CHANCE,
    curve({ ...folds.pooled, step: "" }, "pooled scores"),
    corner(`AUC ${rate(folds.auc)}`),
  ];
}

function averageMarks(picture: Picture): Mark[] {
  const { fpr: x, tpr, tprLower, tprUpper } = averageOf(picture);
  const over = (y: Float64Array): Points => ({ x, y, step: "across" });
  const here = readingOf(picture);
  return [
    {
      kind: "area",
      id: "averaged-band",
      key: "limits, averaged",
      upper: over(tprUpper),
      lower: over(tprLower),
      pen: LIMITS[1],
      fill: "label1",
      strength: 1,
      sides: [true, true],
    },
    ...thinCurves(picture, "a class"),
    CHANCE,
    curve(over(tpr), "mean of the classes"),
    corner(`mean AUC ${rate(averageAuc(picture).auc)}`),
    cut(here.fpr),
    ...arm("arm-1", [here.tprLower, here.tprUpper], here.fpr, ARMS[1]),
    ...point(here.fpr, here.tpr, picture.frame.threshold),
  ];
}
