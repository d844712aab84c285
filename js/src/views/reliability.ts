// Draws the share of positives against the score (by isotonic regression), with bounds that hold at every score at once
// (the calibration band).

import { partitionPoint } from "../base/bisect.ts";
import { share, shareRange, thresholdText } from "../base/format.ts";
import { remembered } from "../base/remembered.ts";
import { clamp } from "../base/scale.ts";
import { words } from "../base/words.ts";
import { boundsAt, type CalibrationBand, isotonicAt, reliability } from "../evaluation/calibration_band.ts";
import { binHeights } from "../evaluation/score_counts.ts";
import type { Evaluation } from "../evaluation/types.ts";
import type { Points } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import { type Answer, sentence } from "../words/answer.ts";
import { ofScores, withReach } from "../words/promise.ts";
import { calledName } from "../words/rows.ts";
import { runs } from "../words/runs.ts";
import { verdictWords } from "../words/verdict.ts";
import { arm, baseline, curve, cut, line, pen, point, pointsOf, RANGE_ARM, rangeOf, UNIT } from "./parts.ts";
import type { View } from "./view.ts";

const AXES = {
  across: { title: words("axis.score"), ends: UNIT },
  up: { title: words("axis.share"), ends: UNIT, isPercent: true },
};
const COUNTS = pen("axis", 2);
const DIAGONAL = baseline(pointsOf(UNIT, UNIT), words("key.probability_is_score"));

export const RELIABILITY: View = {
  axes: () => AXES,
  marks(picture) {
    const band = reliability(picture.evaluation, picture.frame);
    const { x, y, lower, upper } = shareHere(picture);
    const { above, below } = bandPoints(band);
    return [
      line("counts", words("key.counts", { noun: picture.noun }), scoreCounts(picture.evaluation), COUNTS),
      rangeOf(words("key.true_share"), above, below),
      DIAGONAL,
      cut(x),
      curve(isotonicPoints(band)),
      ...arm("arm", [lower, upper], x, RANGE_ARM),
      ...point(x, y, picture.frame.threshold),
    ];
  },
  answer: reliabilityAnswer,
  promise: (picture) => withReach(picture, ofScores(picture.frame.alpha)),
  numbers({ evaluation, frame }) {
    const band = reliability(evaluation, frame);
    const { x, y } = shares(band, evaluation);
    return {
      columns: ["score", "isotonic", "lower", "upper"],
      rows: Array.from(x, (score, i) => [score, y[i], ...boundsAt(band, score)]),
    };
  },
  spoken(picture) {
    const { y, lower, upper } = shareHere(picture);
    const threshold = thresholdText(picture.frame.threshold);
    return `threshold ${threshold}; probability ${share(y)}, ${shareRange(lower, upper)}`;
  },
  reading({ evaluation, frame }, at) {
    const band = reliability(evaluation, frame);
    // The curve ends at the lowest and at the highest score, so `at` is moved between them.
    const x = clamp(at, band.first[0], band.last[band.last.length - 1]);
    const y = isotonicAt(band, x);
    return {
      x,
      y,
      title: `score ${thresholdText(x)}`,
      rows: [{ text: `Share ${share(y)}`, limits: shareRange(...boundsAt(band, x)), tone: "ink" }],
    };
  },
  track: ({ evaluation, frame }) => shares(reliability(evaluation, frame), evaluation),
  switches: () => [],
};

function reliabilityAnswer(picture: Picture): Answer {
  const { evaluation, frame, noun } = picture;
  const { y, lower, upper } = shareHere(picture);
  const { refuted } = reliability(evaluation, frame);
  const values = { noun, name: calledName(picture), score: frame.threshold, share: y };
  return {
    lead: runs("say.share", { ...values, limits: shareRange(lower, upper), level: 1 - frame.alpha }),
    meaning: refuted ? runs("answer.refuted") : sentence(verdictWords(picture)),
  };
}

/** Returns the score at the threshold, the share of positives there by isotonic regression, and its bounds. */
export function shareHere({ evaluation, frame }: Picture) {
  const band = reliability(evaluation, frame);
  const x = clamp(frame.threshold, 0, 1);
  const [lower, upper] = boundsAt(band, x);
  return { x, y: isotonicAt(band, x), lower, upper };
}

const shares = remembered((band: CalibrationBand, { thresholds }: Evaluation) => {
  const x = thresholds.map((threshold) => clamp(threshold, 0, 1));
  return { x, y: x.map((score) => isotonicAt(band, score)) };
});

/**
 * Returns both edges of the band from score 0 to 1, at the scores where an edge changes. A lower bound holds from the
 * end of its range of scores on, an upper bound up to the start of its range.
 */
const bandPoints = remembered((band: CalibrationBand): { above: Points; below: Points } => {
  const scores = Float64Array.from(new Set([0, 1, ...band.first, ...band.last])).sort();
  const bounds = Array.from(scores, (score, i) => {
    const next = partitionPoint(band.first.length, (k) => band.first[k] < (scores[i + 1] ?? 1));
    return [boundsAt(band, score)[0], band.upper[next] ?? 1];
  });
  const isStep = (_: unknown, i: number) =>
    i === 0 || i === scores.length - 1 || bounds[i].some((bound, side) => bound !== bounds[i - 1][side]);
  const x = scores.filter(isStep);
  const [lower, upper] = [0, 1].map((side) => Float64Array.from(bounds.filter(isStep), (both) => both[side]));
  return { above: { x, y: upper, step: "across" }, below: { x, y: lower, step: "across" } };
});

/** Returns the isotonic regression of the labels at the scores where it changes. */
const isotonicPoints = remembered(({ first, last, isotonic }: CalibrationBand): Points => {
  const isShown = (_: number, i: number) => i === 0 || isotonic[i] !== isotonic[i - 1];
  const [x, y] = [first.filter(isShown), isotonic.filter(isShown)];
  return pointsOf([...x, last[last.length - 1]], [...y, y[y.length - 1]], "across");
});

/** Returns the outline of the histogram of the test points' scores. */
const scoreCounts = remembered((evaluation: Evaluation): Points => {
  const heights = binHeights(evaluation);
  const edges = Array.from({ length: heights.length + 1 }, (_, i) => i / heights.length);
  return pointsOf([...edges, 1], [0, ...heights, 0], "up");
});
