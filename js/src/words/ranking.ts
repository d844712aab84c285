// Writes the rate of each of several classifiers, and how the two largest areas differ.

import { fixed, limitsText, shareNumber } from "../base/format.ts";
import { normalLimits } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import type { Label } from "../evaluation/types.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import type { Picture } from "../shown/picture.ts";
import type { PairedTest } from "../wire/decode_comparators.ts";
import { atThreshold, nameInLine } from "./answer.ts";
import { plain, type Run, runs, SAMPLING_TONE } from "./runs.ts";

/**
 * Returns the limits of a difference between two areas. The limits of all pairs hold at once. Null if the difference
 * has no limits.
 */
export function pairLimits(
  { difference, sd }: PairedTest,
  pairs: number,
  alpha: number,
): Pair<number> | null {
  return sd === null ? null : normalLimits(difference, sd, alpha / pairs, [-1, 1]);
}

/** Writes the limits of a difference. They have three decimals, because differences are small. */
export const differenceRange = (limits: Pair<number>) => limits.map((limit) => fixed(limit, 3)).join(" to ");

/** The largest number of classifiers whose rates are written. */
const MOST_NAMES = 3;

/** Writes what each classifier finds, and the difference in the population between the two largest areas. */
export function comparedRuns(picture: Picture, rates: readonly number[], label: Label): Run[] {
  const { group, noun } = picture;
  const { entries } = group;
  const each = entries.slice(0, MOST_NAMES).flatMap(({ name }, i): Run[] => {
    const does = label === 1 ? "finds" : "clears";
    const said = { name: nameInLine(name), observed: rates[i], does };
    return i === 0 ? runs("say.one_finds", said) : [plain(", "), ...runs("say.next_finds", said)];
  });
  return [plain(atThreshold(picture)), ...each, plain("; "), ...differenceRuns(picture, noun), plain(".")];
}

function differenceRuns(
  { group: { entries }, comparators: { pairs }, wanted }: Picture,
  noun: string,
): Run[] {
  const [first, other] = entries.toSorted((a, b) => b.auc - a.auc);
  const pair = pairs.find(({ a, b }) => [a, b].includes(first.name) && [a, b].includes(other?.name));
  const [a, b] = [first, other].map(({ name }) => nameInLine(name));
  const known =
    pair && pairLimits({ ...pair, difference: Math.abs(pair.difference) }, pairs.length, wanted.alpha);
  if (!known) return runs("say.ranks_here", { a, b, high: first.auc, low: other.auc });
  const atOnce = pairs.length > 1 ? words("say.at_once", { pairs: pairs.length }) : "";
  const values = { a, b, noun, limits: differenceRange(known), level: 1 - wanted.alpha, at_once: atOnce };
  return runs("say.ranks", values, SAMPLING_TONE);
}

/** Writes the limits of a difference between two rates. */
export const gapText = ([lower, upper]: Pair<number>, sides: Sides, text: (difference: number) => string) =>
  limitsText(lower, upper, sides, [-1, 1], text, shareNumber);
