// How far the rates of populations are apart; its twin is populations.py.

import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { frameAt, operatingPointAt } from "./at_alpha.ts";
import type { Frame, Group } from "./types.ts";

/** A rate of one population less that of another; without limits where the page cannot compute them. */
export interface Gap {
  pair: Pair<number>;
  difference: number;
  limits: Pair<number> | null;
}

/** Copies, whose bands at a share of alpha do not take the place of those at alpha. */
const apart = remembered(({ entries }: Group) => entries.map((entry) => ({ ...entry })));

/** Gaps of the sensitivity and of the false positive rate, of every two populations at one threshold. */
export function gapsAt(group: Group, frames: Frame[], alpha: number, threshold: number) {
  const level = alpha / (2 * group.entries.length);
  const bounds = apart(group).map((entry) => frameAt(entry, level, threshold)?.point ?? null);
  const points = group.entries.map((entry, i) => operatingPointAt(entry, frames[i], threshold));
  const pairs = points.flatMap((_, i) => points.slice(i + 1).map((_, j): Pair<number> => [i, i + 1 + j]));
  const of = (rate: "tpr" | "fpr") =>
    pairs.map(([i, j]): Gap => {
      const [a, b] = [bounds[i], bounds[j]];
      const [lower, upper] = [`${rate}Lower`, `${rate}Upper`] as const;
      return {
        pair: [i, j],
        difference: points[i][rate] - points[j][rate],
        limits: a && b && [a[lower] - b[upper], a[upper] - b[lower]],
      };
    });
  return { tpr: of("tpr"), fpr: of("fpr") };
}
