// Draws the precision against the recall, with the range of the ideal model's precision.

import { informativeSides, shareLimits, share as shareText, thresholdText } from "../base/format.ts";
import { words } from "../base/words.ts";
import { rowsInCells } from "../evaluation/at_alpha.ts";
import { nearestVertex } from "../evaluation/observed_curve.ts";
import { precisionAt, precisionLimits, precisionRecall } from "../evaluation/precision_recall.ts";
import { jointSides, sidesOf } from "../evaluation/vacuous.ts";
import type { Text } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import { type Answer, given, trueSureWords } from "../words/answer.ts";
import { prevalenceOf } from "../words/one_evaluation.ts";
import { ofBothLabels, PRECISION_HAS_NONE } from "../words/promise.ts";
import { calledName } from "../words/rows.ts";
import { runs } from "../words/runs.ts";
import { precisionGoal } from "./goal.ts";
import {
  baseline,
  cornerWithLimits,
  curve,
  limitArms,
  missingLimits,
  point,
  pointsOf,
  RANGE_ARMS,
  rangeOf,
  UNIT,
} from "./parts.ts";
import { rowsOf, type View } from "./view.ts";

const AXES = {
  across: { title: words("axis.recall"), ends: UNIT, isPercent: true },
  up: { title: words("axis.precision"), ends: UNIT, isPercent: true },
};
/** If the share of positives is below this, its line would cross a text in the lower left corner. */
const LOW = 0.12;

export const PRECISION_RECALL: View = {
  axes: () => AXES,
  marks(picture) {
    const { frame } = picture;
    const share = prevalenceOf(picture);
    const { line, lower, upper } = everyPrecision(picture);
    const here = precisionHere(picture);
    const sides = jointSides(frame);
    // As in scikit-learn, from vertex to vertex the curve goes first up or down, and then along x.
    return [
      rangeOf(
        words("key.ideal_precision") + missingLimits(sides),
        { x: line.x, y: upper, step: "up" },
        { x: line.x, y: lower, step: "up" },
        sides,
      ),
      baseline(pointsOf(UNIT, [share, share]), words("key.base_rate", { share })),
      ...precisionGoal(picture),
      curve({ ...line, step: "up" }),
      ...limitArms("arm", here.y, [here.lower, here.upper], here.x, sides, RANGE_ARMS),
      ...averageCorner(picture),
      ...point(here.x, here.y, frame.threshold),
    ];
  },
  answer: precisionAnswer,
  promise: (picture) =>
    ofBothLabels(picture, words("promise.precision_recall"), words("promise.test_set"), PRECISION_HAS_NONE),
  numbers(picture) {
    const { line, lower, upper } = everyPrecision(picture);
    return {
      columns: ["threshold", "recall", "precision", "precision_lower", "precision_upper"],
      rows: rowsOf(picture.evaluation.thresholds, line.x, line.y, lower, upper),
    };
  },
  spoken(picture) {
    const { threshold, point: at } = picture.frame;
    const { lower, upper } = precisionHere(picture);
    const precision = `threshold ${thresholdText(threshold)}; precision ${precisionText(picture)}, ${shareLimits(lower, upper, jointSides(picture.frame))}`;
    return `${precision}; recall ${shareText(at.tpr)}, ${shareLimits(at.tprLower, at.tprUpper, sidesOf(picture.frame, 1))}`;
  },
  reading(picture, x, y) {
    const { evaluation, frame } = picture;
    const found = everyPrecision(picture);
    const i = nearestVertex(found.line, x, y);
    const { tprLower, tprUpper } = frame.limits;
    const [recall, precision] = [found.line.x[i], found.line.y[i]];
    return {
      vertex: i,
      x: recall,
      y: precision,
      title: words("corner.threshold", { threshold: evaluation.thresholds[i] }),
      rows: [
        {
          text: `Precision ${shareText(precision)}`,
          limits: shareLimits(found.lower[i], found.upper[i], jointSides(frame)),
          tone: "ink",
        },
        {
          text: `Recall ${shareText(recall)}`,
          limits: shareLimits(tprLower[i], tprUpper[i], sidesOf(frame, 1)),
          tone: "label1",
        },
      ],
    };
  },
  track: (picture) => everyPrecision(picture).line,
  switches: () => [],
};

function precisionAnswer(picture: Picture): Answer {
  if (callsNobody(picture)) return { lead: callsNone(picture), meaning: [] };
  const { y, lower, upper } = precisionHere(picture);
  const values = { ...precisionValues(picture), observed: y };
  const sides = informativeSides(jointSides(picture.frame), [lower, upper]);
  if (!sides[0] && !sides[1]) return { lead: runs("say.true_precision_none", values), meaning: [] };
  return {
    lead: runs("say.true_precision", {
      ...values,
      limits: shareLimits(lower, upper, sides),
      sure: trueSureWords(picture, "say.sure_each"),
    }),
    meaning: runs("answer.no_guarantee"),
  };
}

/** Returns the values that the templates of sentences on a precision need. */
export const precisionValues = (picture: Picture) => ({
  ...given(picture),
  n: calledBy(picture),
  name: calledName(picture),
});

/** Returns the sentence for a threshold at which no row is predicted positive, so that precision is undefined. */
export const callsNone = (picture: Picture) =>
  runs("say.calls_none", { ...given(picture), name: calledName(picture) });

/**
 * Writes the precision at the threshold. If no row is predicted positive, it is undefined, and its point is drawn at 1.
 */
export const precisionText = (picture: Picture) =>
  callsNobody(picture) ? "undefined" : shareText(precisionHere(picture).y);

/** Whether no row is predicted positive, so that precision is undefined. */
export const callsNobody = ({ frame: { point } }: Picture) => point.fp + point.tp === 0;

/** Returns the number of rows that are predicted positive. Each row counts once, whatever its weight. */
function calledBy({ evaluation, frame }: Picture): number {
  const { tp, fp } = rowsInCells(evaluation, frame.threshold);
  return tp + fp;
}

/**
 * Returns the recall and the precision at the threshold, with the range of the precision. If no row is predicted
 * positive, the precision is 1.
 */
export function precisionHere(picture: Picture) {
  const { tpr, fpr } = picture.frame.point;
  const share = prevalenceOf(picture);
  const [lower, upper] = precisionLimits(picture.frame.point, share);
  const precision = precisionAt(tpr, fpr, share);
  return { x: tpr, y: Number.isNaN(precision) ? 1 : precision, lower, upper };
}

/** Returns the precision and the recall at every vertex, with the range of the precision. */
const everyPrecision = (picture: Picture) =>
  precisionRecall(picture.evaluation, picture.frame.limits, prevalenceOf(picture));

export const averageOf = (picture: Picture) => everyPrecision(picture).averagePrecision;

/**
 * Returns the text of the average precision for the lower left corner or, if the line of the share of positives is
 * there, for the upper right.
 */
export function averageCorner(picture: Picture, below: string | null = null): Text[] {
  const texts = cornerWithLimits(words("corner.average_precision", { value: averageOf(picture) }), below);
  const isLow = prevalenceOf(picture) < LOW;
  return texts.map((text) =>
    isLow ? { ...text, y: 1, dy: text.dy - texts[0].dy + 18 } : { ...text, x: 0, dx: 8, anchor: "start" },
  );
}
