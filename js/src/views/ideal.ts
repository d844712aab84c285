// The ideal model's own curve over the ROC curve: its band and its words; its twin is views/ideal.py.

import { range } from "../base/format.ts";
import { type IdealCurve, idealLimits } from "../evaluation/ideal_curve.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Mark, Points } from "../scene.ts";
import type { Picture } from "../sync/view_model.ts";
import { plain } from "../words/runs.ts";
import { ARMS, arm, line, pen } from "./parts.ts";
import { comparatorMarks, comparatorSwitches, ROC, rocMarks } from "./roc.ts";
import { head, type View } from "./view.ts";

const BAND = pen("label1");
const MEDIAN = pen("label1", 1.5, 7, 3);

export const IDEAL: View = {
  ...ROC,
  marks(picture) {
    const curve = idealOf(picture);
    const below = comparatorMarks(picture);
    if (curve === null) return rocMarks(picture, [], below);
    const { fpr } = picture.frame.point;
    return rocMarks(
      picture,
      [],
      [...bandMarks(curve), ...below],
      arm("arm-1", idealLimits(curve, fpr), fpr, ARMS[1]),
    );
  },
  callout(picture) {
    const curve = idealOf(picture);
    if (curve === null) return [head(picture)];
    const limits = range(...idealLimits(curve, picture.frame.point.fpr));
    return [head(picture), [plain(`its own curve ${limits}`, "label1")]];
  },
  switches: comparatorSwitches,
};

/** Null where there is none, or none yet. */
const idealOf = ({ ideal }: Picture) => (typeof ideal === "string" ? null : ideal);

function bandMarks({ upper, lower, median }: IdealCurve): Mark[] {
  const straight = ({ x, y }: Line): Points => ({ x, y, step: "" });
  return [
    {
      kind: "area",
      id: "band-ideal",
      key: "ideal model’s own curve",
      upper: straight(upper),
      lower: straight(lower),
      pen: BAND,
      fill: "label1",
      strength: 1,
      sides: [true, true],
    },
    line("ideal-median", "its median", straight(median), MEDIAN),
  ];
}
