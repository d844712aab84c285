// Order statistics of the calibration residuals; its twin is quantiles.py. The only place where an index is rounded.

import type { Pair } from "../base/pair.ts";
import type { Rule } from "./types.ts";

interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** The fraction whose decimal the number is written as: 1/10 for 0.1, and not the binary number next to it. */
export function exactAlpha(alpha: number): Fraction {
  const [digits, exponent = "0"] = String(alpha).split("e");
  const [whole, decimals = ""] = digits.split(".");
  const power = Number(exponent) - decimals.length;
  return {
    numerator: BigInt(whole + decimals) * 10n ** BigInt(Math.max(power, 0)),
    denominator: 10n ** BigInt(Math.max(-power, 0)),
  };
}

/** Ranks of the lower and the upper order statistic, from 1; 0 stands for -Infinity and n + 1 for +Infinity. */
export function ranks(n: number, alpha: number, rule: Rule): Pair<number> {
  const { numerator: a, denominator: b } = exactAlpha(alpha);
  const places = BigInt(n) + 1n;
  const tail = (a * places) / (2n * b);
  const [low, high] =
    rule === "paper" ? [tail - 1n, ((2n * b - a) * places) / (2n * b)] : [tail, places - tail];
  const lower = low < 0n ? 0n : low;
  const upper = high > places ? places : high;
  const enough = (upper - lower) * b >= (b - a) * places;
  return enough ? [Number(lower), Number(upper)] : [0, n + 1];
}

/** Coverage that a pair of ranks has for exchangeable residuals. */
export function guaranteedCoverage(n: number, [lower, upper]: Pair<number>): number {
  return (upper - lower) / (n + 1);
}

/** How many calibration points a first limit takes, and how many both take. */
export function residualsNeeded(alpha: number, rule: Rule): { one: number; both: number } {
  const { numerator: a, denominator: b } = exactAlpha(alpha);
  const points = (k: bigint) => Number((k * b + a - 1n) / a) - 1;
  return rule === "paper" ? { one: points(1n), both: points(4n) } : { one: points(2n), both: points(2n) };
}
