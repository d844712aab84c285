// Sentence on which of several classifiers ranks better, and by how much; its twin is in sentences.py.

import { fixed, limitsText, percent, rate } from "../base/format.ts";
import { normalLimits } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import type { Picture } from "../shown/picture.ts";
import type { PairedTest } from "../wire/decode_comparators.ts";
import { nameInLine } from "./answer.ts";
import { plain, type Run, strong } from "./runs.ts";

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

/** The two with the largest areas; nothing before they are compared. */
export function rankingSentence({ group: { entries }, comparators: { pairs }, wanted }: Picture): Run[] {
  const [best, second] = entries.toSorted((a, b) => b.auc - a.auc);
  const pair = pairs.find(({ a, b }) => [a, b].includes(best.name) && [a, b].includes(second?.name));
  if (!pair) return [];
  const known = pairLimits({ ...pair, difference: Math.abs(pair.difference) }, pairs.length, wanted.alpha);
  const [first, other] = [best.name, second.name].map(nameInLine);
  const [high, low] = [rate(best.auc), rate(second.auc)];
  const ranks = [
    strong(first),
    plain(` ranks ${entries.length > 2 ? "best" : "better"}: AUC `),
    strong(high),
    plain(` against ${low} for ${other}`),
  ];
  if (known === null && !pair.difference) {
    return [
      plain(`AUC does not tell ${first} and ${other} apart: `),
      strong(high),
      plain(" for both on these points. "),
    ];
  }
  if (known === null) return [...ranks, plain("; the difference has no limits on these points. ")];
  const [lower] = known;
  const atOnce = pairs.length > 1 ? ` for all ${pairs.length} differences at once` : "";
  const difference = [
    plain(", a difference of "),
    strong(differenceRange(known)),
    plain(` (${percent(1 - wanted.alpha)}${atOnce}, DeLong, paired). `),
  ];
  if (lower > 0) return [...ranks, ...difference];
  return [
    plain(`AUC does not tell ${first} and ${other} apart: `),
    strong(high),
    plain(` and ${low}`),
    ...difference,
  ];
}

/** An end of what is possible is no limit. */
export const gapText = ([lower, upper]: Pair<number>) =>
  limitsText(lower, upper, [lower > -1, upper < 1], [-1, 1]);
