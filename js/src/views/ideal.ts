// Draws the band of the ideal model's own ROC curve, with its texts, over this classifier's curve.

import { areaText, capital, shareRange } from "../base/format.ts";
import { words } from "../base/words.ts";
import { withConfidence } from "../evaluation/guarantee.ts";
import { type IdealCurve, idealLimits } from "../evaluation/ideal_curve.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Points } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import { idealCurveOf } from "../shown/picture.ts";
import { sampledArea } from "../shown/sampled_area.ts";
import { type Answer, sentence } from "../words/answer.ts";
import { NOTHING } from "../words/promise.ts";
import { runs } from "../words/runs.ts";
import type { Named } from "./names.ts";
import { ARMS, area, arm, pen } from "./parts.ts";
import { comparatorMarks, comparatorSwitches, ROC, rateReading, rocMarks } from "./roc.ts";
import { rowsOf, type View } from "./view.ts";

const BAND = pen("label1");

export const IDEAL: View = {
  ...ROC,
  marks(picture) {
    const curve = idealCurveOf(picture);
    const below = comparatorMarks(picture);
    if (curve === null) return rocMarks(picture, { below });
    const { fpr } = picture.frame.point;
    const above = arm("arm-1", idealLimits(curve, fpr), fpr, ARMS[1]);
    return rocMarks(picture, { bands: [bestBand(curve)], below, above });
  },
  answer: bestAnswer,
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
        ? shareRange(...idealLimits(curve, picture.evaluation.fpr[i]))
        : "",
    );
  },
  switches: comparatorSwitches,
};

/** Writes this classifier's area, the best possible area, and the gain between them. */
function bestAnswer(picture: Picture): Answer {
  const { ideal, evaluation } = picture;
  if (ideal === null || typeof ideal === "string") {
    const auc = areaText([evaluation.auc])(evaluation.auc);
    return {
      lead: runs("say.no_best", { auc }),
      meaning: sentence(ideal === null ? "" : `${capital(ideal)}.`),
    };
  }
  // The corner of the plot shows the same areas. So they get as many decimals here as there.
  const text = areaText([evaluation.auc, ...ideal.auc, ...(sampledArea(picture) ?? [])]);
  const [lower, upper] = ideal.auc.map(text);
  const most = ideal.gain[1];
  const gain = most > 0 ? words("say.at_most", { gain: most }) : words("say.nothing");
  const isAbove = evaluation.auc > (ideal.auc[0] + ideal.auc[1]) / 2;
  return {
    lead: runs("say.best", { auc: text(evaluation.auc), lower, upper, gain }, "label1"),
    meaning: sentence(isAbove ? words("say.luck") : ""),
  };
}

function bestBand({ upper, lower, alpha }: IdealCurve): Named {
  const straight = ({ x, y }: Line): Points => ({ x, y, step: "" });
  return {
    area: area("band-ideal", words("key.ideal_curve"), straight(lower), straight(upper), BAND),
    lines: [words("name.best"), words("name.best_level", { level: 1 - alpha })],
  };
}
