// Finds order statistics of the calibration residuals. Only this file rounds indices. In Python: quantiles.py.

import type { Pair } from "../base/pair.ts";
import type { Rule } from "./types.ts";

interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

/** Returns alpha as the exact fraction that its digits say: 1/10 for 0.1, not the binary number nearby. */
export function exactAlpha(alpha: number): Fraction {
  const [digits, exponent = "0"] = String(alpha).split("e");
  const [whole, decimals = ""] = digits.split(".");
  const power = Number(exponent) - decimals.length;
  return {
    numerator: BigInt(whole + decimals) * 10n ** BigInt(Math.max(power, 0)),
    denominator: 10n ** BigInt(Math.max(-power, 0)),
  };
}

/**
 * Returns the ranks of the lower and the upper order statistic among n residuals. Ranks start at 1. Rank 0 stands for
 * -Infinity and rank n + 1 for +Infinity.
 */
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

/**
 * Returns the probability that a new residual is between the residuals of two ranks, if it is exchangeable with the n
 * residuals.
 */
export function guaranteedCoverage(n: number, [lower, upper]: Pair<number>): number {
  return (upper - lower) / (n + 1);
}

/**
 * Returns the number of calibration residuals that a label needs for one limit (`one`) and for both limits (`both`).
 */
export function residualsNeeded(alpha: number, rule: Rule): { one: number; both: number } {
  const { numerator: a, denominator: b } = exactAlpha(alpha);
  const points = (k: bigint) => Number((k * b + a - 1n) / a) - 1;
  return rule === "paper" ? { one: points(1n), both: points(4n) } : { one: points(2n), both: points(2n) };
}
