// Sentence on which of several classifiers ranks better, and by how much; its twin is in sentences.py.

import { fixed, limitsText } from "../base/format.ts";
import { normalLimits } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import type { Picture } from "../shown/picture.ts";
import type { PairedTest } from "../wire/decode_comparators.ts";
import { nameInLine } from "./answer.ts";
import { type Run, runs } from "./runs.ts";

/** Limits of a difference, for all pairs at once; null where it has none. */
export function pairLimits(
  { difference, sd }: PairedTest,
  pairs: number,
  alpha: number,
): Pair<number> | null {
  return sd === null ? null : normalLimits(difference, sd, alpha / pairs, [-1, 1]);
}

/** Three decimals: differences are small. */
export const differenceRange = (limits: Pair<number>) => limits.map((limit) => fixed(limit, 3)).join(" to ");

/** The sentence on the two with the largest areas; empty before they are compared. */
export function rankingSentence({ group: { entries }, comparators: { pairs }, wanted }: Picture): Run[] {
  const [first, other] = entries.toSorted((a, b) => b.auc - a.auc);
  const pair = pairs.find(({ a, b }) => [a, b].includes(first.name) && [a, b].includes(other?.name));
  if (!pair) return [];
  const known = pairLimits({ ...pair, difference: Math.abs(pair.difference) }, pairs.length, wanted.alpha);
  const [best, second] = [first.name, other.name].map(nameInLine);
  const ranks = { best, second, high: first.auc, low: other.auc, pairs: pairs.length };
  if (known === null) return runs(pair.difference ? "ranking.without_limits" : "ranking.same", ranks);
  const [lower, upper] = known;
  const atOnce = pairs.length > 1 ? words("ranking.at_once", ranks) : "";
  const values = { ...ranks, lower, upper, level: 1 - wanted.alpha, at_once: atOnce };
  return runs(lower > 0 ? "ranking.differs" : "ranking.close", values);
}

/** Limits of a difference in words; an end of what is possible is no limit. */
export const gapText = ([lower, upper]: Pair<number>) =>
  limitsText(lower, upper, [lower > -1, upper < 1], [-1, 1]);
