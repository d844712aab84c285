// Computes figures of several evaluations together.

import { informativeSides } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import { thresholdSteps } from "../base/steps.ts";
import { type Average, averageBands } from "../evaluation/average.ts";
import { areaLimits, limitsOfMean } from "../evaluation/estimate.ts";
import { type Rate, rateAt } from "../evaluation/metrics.ts";
import { vertexAt } from "../evaluation/observed_curve.ts";
import { rowsAt } from "../evaluation/settled.ts";
import type { Evaluation, Frame, Group, Label, Weights } from "../evaluation/types.ts";
import { jointSides, type Sides, sidesOf } from "../evaluation/vacuous.ts";
import type { Picture } from "./picture.ts";

const latest = new WeakMap<Group, { frames: Frame[]; weights: Weights; average: Average }>();

/** Returns the average of the classes' bands. It is cached, because it does not depend on the threshold. */
export function averageOf({ group, frames, weights }: Picture): Average {
  const known = latest.get(group);
  const isKnown =
    known?.weights === weights && known.frames.every(({ limits }, i) => limits === frames[i].limits);
  if (known && isKnown) return known.average;
  const average = averageBands(group.entries, frames, weights);
  latest.set(group, { frames, weights, average });
  return average;
}

/** Returns which limits the average has: those that every class has. */
export function averageSides({ frames }: Pick<Picture, "frames">): Sides {
  const every = frames.map((frame) => sidesOf(frame, 1));
  return [every.every(([lower]) => lower), every.every(([, upper]) => upper)];
}

/** Returns the point of the average curve at the mean of the classes' FPRs at their common threshold. */
export function readingOf(picture: Picture) {
  const average = averageOf(picture);
  const mean = weightedMean(
    picture.frames.map(({ point }) => point.fpr),
    average.weights,
  );
  return readAt(average, mean);
}

export function readAt(average: Average, fpr: number) {
  const last = average.fpr.length - 1;
  const i = clamp(Math.round(fpr * last), 0, last);
  return {
    fpr: average.fpr[i],
    tpr: average.tpr[i],
    tprLower: average.tprLower[i],
    tprUpper: average.tprUpper[i],
  };
}

/**
 * Returns the weighted mean. If all values are 1, returns 1, because rounded weights may sum to less than 1.
 */
const weightedMean = (values: number[], weights: number[]) =>
  values.every((value) => value === 1) ? 1 : values.reduce((sum, value, i) => sum + weights[i] * value, 0);

/** Returns the smallest threshold of the slider at which the mean of the classes' FPRs is at most `wish`. */
export function thresholdFor(entries: Evaluation[], weights: number[], wish: number): number {
  const meanFpr = (threshold: number) =>
    weightedMean(
      entries.map(({ thresholds, fpr }) => fpr[vertexAt(thresholds, threshold)]),
      weights,
    );
  let [low, high] = [0, 1];
  while (high - low > 0.0011) {
    const middle = thresholdSteps.grid((low + high) / 2);
    if (meanFpr(middle) <= wish) high = middle;
    else low = middle;
  }
  return meanFpr(low) <= wish ? low : high;
}

/**
 * Returns the mean of the classes' rates at their common threshold, with its range. An end of the range is a limit if
 * every class has a limit there.
 */
export function meanRate(picture: Picture, label: Label): Rate & { rates: Rate[] } {
  const { weights } = averageOf(picture);
  const rates = picture.frames.map((frame) => rateAt(label, frame, frame.point));
  const mean = (name: "observed" | "lower" | "upper") =>
    weightedMean(
      rates.map((rate) => rate[name]),
      weights,
    );
  const has = (side: 0 | 1) => rates.every(({ sides }) => sides[side]);
  return {
    rates,
    observed: mean("observed"),
    lower: mean("lower"),
    upper: mean("upper"),
    sides: [has(0), has(1)],
  };
}

/**
 * Returns confidence limits in the population for the mean of this classifier's areas over the classes. Null if they
 * are unknown.
 */
export function meanAreaLimits(picture: Picture): Pair<number> | null {
  const area = picture.group.means?.[picture.weights];
  return area ? areaLimits(averageAuc(picture).auc, area, picture.frame.alpha) : null;
}

/**
 * Returns confidence limits in the population for the mean of this classifier's rates over the classes, at the
 * threshold. Null if they are unknown.
 */
export function meanRateLimits({ group, weights, frame }: Picture, label: Label, observed: number) {
  const rows = group.rates?.[weights]?.[label];
  return rows ? limitsOfMean(observed, rowsAt(rows, frame.threshold), frame.alpha) : null;
}

/**
 * Returns the mean of the classes' AUCs, and the mean of their ranges. An end is a limit if every class has a limit
 * there.
 */
export function averageAuc({ group, frames, ...picture }: Picture) {
  const { weights } = averageOf({ group, frames, ...picture });
  const mean = (values: number[]) => weightedMean(values, weights);
  const end = (side: 0 | 1) => mean(frames.map(({ auc }) => auc[side]));
  const every = frames.map(jointSides);
  const range: Pair<number> = [end(0), end(1)];
  return {
    auc: mean(group.entries.map(({ auc }) => auc)),
    range,
    sides: informativeSides([every.every(([lower]) => lower), every.every(([, upper]) => upper)], range),
  };
}

/** Returns which ends of the range of an AUC are limits. */
export const aucSides = (frame: Frame): Sides => informativeSides(jointSides(frame), frame.auc);

/** Returns the width of the band of sensitivity, averaged over all FPRs. Limits are constant between vertices. */
export function meanWidth({ fpr }: Evaluation, { limits }: Pick<Frame, "limits">): number {
  let area = 0;
  for (let i = 1; i < fpr.length; i++) {
    area += (fpr[i] - fpr[i - 1]) * (limits.tprUpper[i - 1] - limits.tprLower[i - 1]);
  }
  return area;
}
