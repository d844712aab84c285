// The ideal model's own curve over the ROC curve: its band and its words; its twin is views/ideal.py.

import { dashes } from "../../../conformal_roc_widget/shown/theme.json";
import { capital, range } from "../base/format.ts";
import { words } from "../base/words.ts";
import { withConfidence } from "../evaluation/guarantee.ts";
import { type IdealCurve, idealLimits } from "../evaluation/ideal_curve.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Mark, Points } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import { idealCurveOf } from "../shown/picture.ts";
import type { Answer } from "../words/answer.ts";
import { NOTHING } from "../words/promise.ts";
import { plain, runs } from "../words/runs.ts";
import { ARMS, area, arm, line, pen } from "./parts.ts";
import { comparatorMarks, comparatorSwitches, ROC, rateReading, rocMarks } from "./roc.ts";
import { head, rowsOf, type View } from "./view.ts";

const BAND = pen("label1");
const MEDIAN = pen("label1", 1.5, ...dashes.ideal_median);

export const IDEAL: View = {
  ...ROC,
  marks(picture) {
    const curve = idealCurveOf(picture);
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
    const curve = idealCurveOf(picture);
    if (curve === null) return [head(picture)];
    const limits = range(...idealLimits(curve, picture.frame.point.fpr));
    return [head(picture), [plain(`its own curve ${limits}`, "label1")]];
  },
  answer: ownCurveAnswer,
  promise(picture) {
    const curve = idealCurveOf(picture);
    if (curve === null) return NOTHING;
    return { ...withConfidence(curve.table.words, curve.alpha), reach: "" };
  },
  numbers(picture) {
    const curve = idealCurveOf(picture);
    if (curve === null) return ROC.numbers(picture);
    const { table, median, lower, upper } = curve;
    return {
      columns: ["fpr", "tpr_median", "tpr_lower", "tpr_upper"],
      rows: rowsOf(table.fpr, median.y, lower.y, upper.y),
    };
  },
  reading(picture, x, y) {
    const curve = idealCurveOf(picture);
    return rateReading(picture, x, y, (frame, label, i) =>
      curve && label === 1 && frame === picture.frame
        ? range(...idealLimits(curve, picture.evaluation.fpr[i]))
        : "",
    );
  },
  switches: comparatorSwitches,
};

function ownCurveAnswer({ ideal, frame }: Picture): Answer {
  const { fpr, tpr } = frame.point;
  const rates = { fpr, tpr };
  if (ideal === null || typeof ideal === "string") {
    const why = ideal === null ? "" : `${capital(ideal)}.`;
    return { lead: runs("answer.no_own_curve", rates), meaning: [plain(why)] };
  }
  const [lower, upper] = idealLimits(ideal, fpr);
  const gain = ideal.gain[1];
  return {
    lead: runs("answer.own_curve", { ...rates, lower, upper, level: 1 - ideal.alpha }, "label1"),
    meaning: runs(gain > 0 ? "answer.gain" : "answer.no_gain", { gain }),
  };
}

function bandMarks({ upper, lower, median }: IdealCurve): Mark[] {
  const straight = ({ x, y }: Line): Points => ({ x, y, step: "" });
  return [
    area("band-ideal", words("key.ideal_curve"), straight(lower), straight(upper), BAND),
    line("ideal-median", words("key.ideal_median"), straight(median), MEDIAN),
  ];
}
