// Writes numbers as texts. text.py writes the same texts.

import type { Pair } from "./pair.ts";

export const MINUS = "\u2212";

export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

export const rate = (value: number) => fixed(value, 2);

/**
 * A threshold outside [-1, 1] has `DIGITS` significant digits. If it is beyond `FAR`, it has `FAR_DIGITS`,
 * because floating-point numbers beyond `FAR` skip integers.
 */
const DIGITS = 5;
const FAR_DIGITS = 12;
const FAR = 2 ** 53;

/**
 * Writes a threshold. Inside [-1, 1] it has two or three decimals. Next to 0 and 1 it has more, so that only
 * 0 reads "0.00" and only 1 reads "1.00". Outside [-1, 1] it has up to five significant digits, or more if
 * its integer part has more. Beyond 2^53 it has up to twelve. If these digits are not exact, a sign says so:
 * "≈4.61168601843e18".
 */
export function thresholdText(threshold: number): string {
  if (threshold === Number.POSITIVE_INFINITY) return "above all scores";
  if (Math.abs(threshold) > FAR) {
    const text = threshold.toExponential(FAR_DIGITS - 1).replace(/\.?0*e\+/, "e");
    return `${Number(text) === threshold ? "" : "≈"}${text.replace("-", MINUS)}`;
  }
  if (Math.abs(threshold) > 1) {
    const text = fixed(threshold, Math.max(DIGITS - 1 - Math.floor(Math.log10(Math.abs(threshold))), 0));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }
  const tail = Math.min(Math.abs(threshold), Math.abs(1 - threshold));
  if (tail > 0 && tail < 0.0005) return fixed(threshold, decimalsOf(tail));
  const three = fixed(threshold, 3);
  return three.endsWith("0") ? three.slice(0, -1) : three;
}

/** Returns the text with its first letter in upper case. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const signed = (value: number, digits = 2) => (value > 0 ? "+" : "") + fixed(value, digits);

/**
 * Writes an interval in words, such as "0.75 to 0.92", "at most 0.92", "at least 0.75" or "no limits". `sides` tells
 * which of the two limits exist. `ends` are the smallest and the largest possible value. If `text` writes a unit,
 * `bare` writes the lower of two limits without it.
 */
export function limitsText(
  lower: number,
  upper: number,
  sides: Pair<boolean>,
  ends: Readonly<Pair<number>> = [0, 1],
  text = rate,
  bare = text === share ? shareNumber : text,
): string {
  const [hasLower, hasUpper] = informativeSides(sides, [lower, upper], ends);
  if (hasLower && hasUpper) return `${bare(lower)} to ${text(upper)}`;
  if (hasUpper) return `at most ${text(upper)}`;
  return hasLower ? `at least ${text(lower)}` : "no limits";
}

/**
 * Returns which of two limits are shown. If both exist, both are shown. If only one exists, and it equals the
 * smallest or largest possible value, it is hidden, because it says nothing.
 */
export function informativeSides(
  [hasLower, hasUpper]: Pair<boolean>,
  [lower, upper]: Readonly<Pair<number>>,
  [least, most]: Readonly<Pair<number>> = [0, 1],
): Pair<boolean> {
  if (hasLower === hasUpper) return [hasLower, hasUpper];
  return [hasLower && lower > least, hasUpper && upper < most];
}

/**
 * Returns the function that writes areas which are shown together. It writes three decimals if one of the areas exceeds
 * 0.98, and otherwise two.
 */
export function areaText(areas: readonly number[]): (area: number) => string {
  const digits = areas.some((area) => area > 0.98) ? 3 : 2;
  return (area) => fixed(area, digits);
}

export const range = (lower: number, upper: number) => `${rate(lower)} to ${rate(upper)}`;

/**
 * Writes alpha with two decimals. If alpha is below 0.02 or has a third decimal, the text has three. The
 * kernel computes with the number in this text.
 */
export function significance(alpha: number): string {
  const three = alpha.toFixed(3);
  return alpha >= 0.02 && three.endsWith("0") ? three.slice(0, -1) : three;
}

/**
 * Writes a share as a percentage with up to four decimals, such as "95 %" or "98.75 %". Only a share of exactly 0 or 1
 * reads "0 %" or "100 %": others get more decimals.
 */
export function percent(share: number): string {
  const tail = 100 * Math.min(share, 1 - share);
  const text = fixed(100 * share, tail > 0 && tail < 0.00005 ? decimalsOf(tail) : 4);
  return `${text.replace(/\.?0+$/, "")} %`;
}

const MOST_DECIMALS = 12;

/** Returns the number of decimals up to the first nonzero digit of a small number, at most 12. */
const decimalsOf = (tail: number) => Math.min(-Math.floor(Math.log10(tail)), MOST_DECIMALS);

/**
 * Writes a rate as a whole percentage, without the percent sign. Near 0 and 100 it has decimals, so that only 0 and 1
 * read "0" and "100".
 */
export function shareNumber(share: number): string {
  const tail = Math.min(Math.abs(share), Math.abs(1 - share));
  const digits = tail === 0 || tail >= 0.01 ? 0 : tail >= 0.0005 ? 1 : decimalsOf(100 * tail);
  return fixed(100 * share, digits);
}

/** Writes a share as a whole percentage, such as "85 %". */
export const share = (value: number) => `${shareNumber(value)} %`;

/** Writes a difference between two rates: "17 points". With a percent sign it would read as a share of one of them. */
export function points(difference: number): string {
  const number = shareNumber(difference);
  return `${number} ${number === "1" ? "point" : "points"}`;
}

/**
 * Writes the first difference between two rates in a sentence, with the full unit: "17 percentage points".
 */
export const percentagePoints = (difference: number) => points(difference).replace(" ", " percentage ");

/** Writes the range between two shares, such as "75 to 92 %". */
export const shareRange = (lower: number, upper: number) => `${shareNumber(lower)} to ${share(upper)}`;

/** Writes the limits of a rate, such as "75 to 92 %" or "at least 75 %". See `limitsText`. */
export const shareLimits = (lower: number, upper: number, sides: Pair<boolean>) =>
  limitsText(lower, upper, sides, [0, 1], share);

/** Writes a rate, rounded down to a whole percentage, because a guaranteed rate must not be rounded up. */
export const shareDown = (fraction: number) => `${Math.floor(100 * fraction + 1e-9)} %`;

/** Writes a share as a percentage, rounded down to one decimal. It follows the words "at least". */
export function percentDown(fraction: number): string {
  return `${(Math.floor(1000 * fraction + 1e-9) / 10).toFixed(1)} %`;
}

/** Writes a share, rounded down to two decimals, or to four above 0.99. It follows the words "at least". */
export function rateAtLeast(share: number): string {
  const digits = share <= 0.99 || share === 1 ? 2 : 4;
  return fixed(Math.floor(10 ** digits * share + 1e-9) / 10 ** digits, digits);
}

/** Writes a share, rounded up to two decimals. It follows the words "at most". */
export const rateAtMost = (share: number) => fixed(Math.ceil(100 * share - 1e-9) / 100, 2);

export function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  const suffix = teens ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${count(n)}${suffix}`;
}

/** Writes a number, rounded, with commas at the thousands. Counts of weighted rows need not be whole. */
export const count = (n: number) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");

/** Returns the verb for a number of things. */
export const isOrAre = (n: number) => (count(n) === "1" ? "is" : "are");

/** Singulars that do not follow from the ending of the plural. */
const SINGULARS = new Map(
  Object.entries({ people: "person", children: "child", women: "woman", men: "man" }),
);

/** Returns the singular of an English noun: "row" of "rows". A noun of another ending is returned as it is. */
function singular(noun: string): string {
  const irregular = SINGULARS.get(noun);
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]ies$/.test(noun)) return `${noun.slice(0, -3)}y`;
  return /(ss|sh|ch|x)es$/.test(noun) ? noun.slice(0, -2) : noun.replace(/([^su])s$/, "$1");
}

/**
 * Writes a number with its noun: "2,000 rows of class 4", "1 row of class 4". The noun is given in the plural. It is the
 * last word before the first "of".
 */
export function counted(n: number, nouns: string): string {
  const text = count(n);
  if (text !== "1") return `${text} ${nouns}`;
  const [head, ...rest] = nouns.split(" of ");
  return `1 ${[head.replace(/\S+$/, singular), ...rest].join(" of ")}`;
}

/**
 * Returns a name. If it has more than `most` letters, its middle is replaced by an ellipsis, so that the numbers after
 * it stay visible.
 */
export function shortName(name: string, most = 12): string {
  const letters = [...name];
  if (letters.length <= most) return name;
  return `${letters.slice(0, most / 2).join("")}…${letters.slice(1 - most / 2).join("")}`;
}
