// How far the rates of populations are apart; its twin is populations.py.

import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { frameAt, operatingPointAt } from "./at_alpha.ts";
import { exactLimits } from "./exact_limits.ts";
import type { Frame, Group } from "./types.ts";
import { BOTH, type Sides, sidesOf } from "./vacuous.ts";

/** A rate of one population less that of another; without limits where the page cannot compute them. */
export interface Gap {
  pair: Pair<number>;
  difference: number;
  limits: Pair<number> | null;
  /** Which of them are limits: each needs one of both populations. */
  sides: Sides;
}

/** Copies of the entries: bands are remembered by entry, and those at a share of alpha must not replace those at alpha. */
const apart = remembered(({ entries }: Group) => entries.map((entry) => ({ ...entry })));

type Rate = "tpr" | "fpr";
type Bounds = Record<Rate, Pair<number>>;

/** Which limits a rate of a population has, where it has any. */
type Has = (i: number, rate: Rate) => Sides;

/** By rate, the gaps of every two populations at one threshold. */
export type Gaps = Record<Rate, Gap[]>;

/** The gaps of an ideal model. */
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

/** The gaps of this classifier with more test data: exact limits of every rate; none if rows do not count alike. */
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

/** The share of alpha that each rate has: two rates a population. */
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
