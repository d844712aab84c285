// Computes the differences between populations in sensitivity and false positive rate. In Python: populations.py.

import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { frameAt, operatingPointAt } from "./at_alpha.ts";
import { exactLimits } from "./exact_limits.ts";
import type { Frame, Group } from "./types.ts";
import { BOTH, type Sides, sidesOf } from "./vacuous.ts";

/** The difference of a rate between two populations. It has no limits if the page cannot compute any. */
export interface Gap {
  pair: Pair<number>;
  difference: number;
  limits: Pair<number> | null;
  /**
   * Which ends of the difference are limits. The lower end is a limit if the first population has a lower
   * limit and the second population an upper limit. The upper end is a limit if the first has an upper limit
   * and the second a lower limit.
   */
  sides: Sides;
}

/**
 * Returns copies of a group's evaluations. Differences need bands at a part of alpha. Without copies, these
 * bands would replace the bands at alpha in the cache.
 */
const apart = remembered(({ entries }: Group) => entries.map((entry) => ({ ...entry })));

type Rate = "tpr" | "fpr";
type Bounds = Record<Rate, Pair<number>>;

/** Returns which limits the i-th population's rate has. */
type Has = (i: number, rate: Rate) => Sides;

/** For each rate, the differences between every two populations at one threshold. */
export type Gaps = Record<Rate, Gap[]>;

/** Returns the differences between the rates of the populations' ideal models at one threshold. */
export function gapsAt(group: Group, frames: Frame[], alpha: number, threshold: number): Gaps {
  const each = apart(group).map((entry) => frameAt(entry, levelOf(group, alpha), threshold));
  const bounds = each.map((frame): Bounds | null => {
    if (!frame) return null;
    const { point } = frame;
    return { tpr: [point.tprLower, point.tprUpper], fpr: [point.fprLower, point.fprUpper] };
  });
  return gapsOf(group, frames, threshold, bounds, (i, rate) => {
    const frame = each[i];
    return frame ? sidesOf(frame, rate === "tpr" ? 1 : 0) : BOTH;
  });
}

/**
 * Returns the differences between this classifier's rates in the populations. Their limits come from binomial limits of
 * every rate. If rows have weights or groups, there are no limits.
 */
export function settledGapsAt(group: Group, frames: Frame[], alpha: number, threshold: number): Gaps {
  const level = levelOf(group, alpha);
  const isWeighted = group.entries.some(({ weighted }) => weighted);
  const bounds = group.entries.map((entry, i): Bounds | null => {
    if (isWeighted) return null;
    const { tp, fp, tn, fn } = operatingPointAt(entry, frames[i], threshold);
    return { tpr: exactLimits(tp, tp + fn, level), fpr: exactLimits(fp, fp + tn, level) };
  });
  return gapsOf(group, frames, threshold, bounds, () => BOTH);
}

/** Returns the part of alpha for each rate. Each population has two rates, and all limits must hold together. */
const levelOf = ({ entries }: Group, alpha: number) => alpha / (2 * entries.length);

function gapsOf(
  { entries }: Group,
  frames: Frame[],
  threshold: number,
  bounds: (Bounds | null)[],
  has: Has,
): Gaps {
  const points = entries.map((entry, i) => operatingPointAt(entry, frames[i], threshold));
  const pairs = points.flatMap((_, i) => points.slice(i + 1).map((_, j): Pair<number> => [i, i + 1 + j]));
  const of = (rate: Rate) =>
    pairs.map(([i, j]): Gap => {
      const [a, b] = [bounds[i]?.[rate], bounds[j]?.[rate]];
      const difference = points[i][rate] - points[j][rate];
      const [[low, high], [lower, upper]] = [has(i, rate), has(j, rate)];
      const sides: Sides = [low && upper, high && lower];
      return { pair: [i, j], difference, limits: a && b ? [a[0] - b[1], a[1] - b[0]] : null, sides };
    });
  return { tpr: of("tpr"), fpr: of("fpr") };
}

/** Returns the difference in 1 minus the rate, from the difference in the rate. */
export const flipped = ({ pair, difference, limits, sides: [low, high] }: Gap): Gap => ({
  ...{ pair, difference: -difference, sides: [high, low] },
  limits: limits && [-limits[1], -limits[0]],
});

/** Returns the largest gap, with the population of the higher rate first. Undefined if there is none. */
export function widestOf(gaps: readonly Gap[]): Gap | undefined {
  const [widest] = gaps.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  if (!widest || widest.difference >= 0) return widest;
  const [a, b] = widest.pair;
  return { ...flipped(widest), pair: [b, a] };
}
