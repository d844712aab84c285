// Numbers as texts, the same ones as in Python; its twin is text.py.

import type { Pair } from "./pair.ts";

export const MINUS = "\u2212";

export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

export const rate = (value: number) => fixed(value, 2);

/** Digits of a threshold outside [0, 1]. */
const DIGITS = 5;

/**
 * Two decimals, three where it needs them, more next to 0 and 1; only 0 reads "0.00", and only 1 reads "1.00". What is
 * no probability has five digits, and as many before the point as it needs.
 */
export function thresholdText(threshold: number): string {
  if (threshold === Number.POSITIVE_INFINITY) return "above all scores";
  if (Math.abs(threshold) > 1) {
    const text = fixed(threshold, Math.max(DIGITS - 1 - Math.floor(Math.log10(Math.abs(threshold))), 0));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }
  const tail = Math.min(Math.abs(threshold), Math.abs(1 - threshold));
  if (tail > 0 && tail < 0.0005) return fixed(threshold, decimalsOf(tail));
  const three = fixed(threshold, 3);
  return three.endsWith("0") ? three.slice(0, -1) : three;
}

/** A text as it starts a sentence. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const signed = (value: number, digits = 2) => (value > 0 ? "+" : "") + fixed(value, digits);

/** A number's limits in words: both, one, or "no limits"; see `informativeSides`. */
export function limitsText(
  lower: number,
  upper: number,
  sides: Pair<boolean>,
  ends: Readonly<Pair<number>> = [0, 1],
  text = rate,
): string {
  const [hasLower, hasUpper] = informativeSides(sides, [lower, upper], ends);
  // A unit that both have is written once.
  if (hasLower && hasUpper) return `${text(lower).replace(/ %$/, "")} to ${text(upper)}`;
  if (hasUpper) return `at most ${text(upper)}`;
  return hasLower ? `at least ${text(lower)}` : "no limits";
}

/** Which of two limits say something: an end of what is possible does not. */
export function informativeSides(
  [hasLower, hasUpper]: Pair<boolean>,
  [lower, upper]: Readonly<Pair<number>>,
  [least, most]: Readonly<Pair<number>> = [0, 1],
): Pair<boolean> {
  if (hasLower === hasUpper) return [hasLower, hasUpper];
  return [hasLower && lower > least, hasUpper && upper < most];
}

/** Writes areas that stand together, limits among them, with enough decimals: near 1 two would not part them. */
export function areaText(areas: readonly number[]): (area: number) => string {
  const digits = areas.some((area) => area > 0.98) ? 3 : 2;
  return (area) => fixed(area, digits);
}

export const range = (lower: number, upper: number) => `${rate(lower)} to ${rate(upper)}`;

/** Two decimals, three where alpha is small or needs them: the decimal the kernel computes with is the one shown. */
export function significance(alpha: number): string {
  const three = alpha.toFixed(3);
  return alpha >= 0.02 && three.endsWith("0") ? three.slice(0, -1) : three;
}

/** "95 %", "98.75 %": up to four decimals; more only where a share that is neither 0 nor 1 would read as one of them. */
export function percent(share: number): string {
  const tail = 100 * Math.min(share, 1 - share);
  const text = fixed(100 * share, tail > 0 && tail < 0.00005 ? decimalsOf(tail) : 4);
  return `${text.replace(/\.?0+$/, "")} %`;
}

const MOST_DECIMALS = 12;

/** Decimals up to the first digit of a small number that is not 0. */
const decimalsOf = (tail: number) => Math.min(-Math.floor(Math.log10(tail)), MOST_DECIMALS);

/** A rate in percent, without the sign: whole, with decimals next to 0 and 100, which only 0 and 1 read as. */
export function shareNumber(share: number): string {
  const tail = Math.min(Math.abs(share), Math.abs(1 - share));
  const digits = tail === 0 || tail >= 0.01 ? 0 : tail >= 0.0005 ? 1 : decimalsOf(100 * tail);
  return fixed(100 * share, digits);
}

/** "85 %" */
export const share = (value: number) => `${shareNumber(value)} %`;

/** "75 to 92 %" */
export const shareRange = (lower: number, upper: number) => `${shareNumber(lower)} to ${share(upper)}`;

/** Limits of a rate in words; see `limitsText`. */
export const shareLimits = (lower: number, upper: number, sides: Pair<boolean>) =>
  limitsText(lower, upper, sides, [0, 1], share);

/** The same rounded down to whole percent: for the most that can be promised. */
export const shareDown = (fraction: number) => `${Math.floor(100 * fraction + 1e-9)} %`;

/** Cut after one decimal, never rounded up: for "at least" numbers. */
export function percentDown(fraction: number): string {
  return `${(Math.floor(1000 * fraction + 1e-9) / 10).toFixed(1)} %`;
}

/** Rounded down to two decimals, and to more next to 1: for what is at least so much. */
export function rateAtLeast(share: number): string {
  const digits = share <= 0.99 || share === 1 ? 2 : 4;
  return fixed(Math.floor(10 ** digits * share + 1e-9) / 10 ** digits, digits);
}

/** Rounded up to two decimals, for what is at most so much. */
export const rateAtMost = (share: number) => fixed(Math.ceil(100 * share - 1e-9) / 100, 2);

export function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  const suffix = teens ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${count(n)}${suffix}`;
}

/** A whole number with commas: weights of test points are rounded. */
export const count = (n: number) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");

/** The name, cut in the middle if it is longer than `most`: the numbers of its line must be seen whole. */
export function shortName(name: string, most = 12): string {
  const letters = [...name];
  if (letters.length <= most) return name;
  return `${letters.slice(0, most / 2).join("")}…${letters.slice(1 - most / 2).join("")}`;
}
