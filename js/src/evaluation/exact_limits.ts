// Computes Clopper and Pearson's limits of a binomial probability. In Python: binomial_limits.py.

import type { Pair } from "../base/pair.ts";

/** The largest number of steps. After this many halvings, no visible digit changes. */
const STEPS = 60;
const TERMS = 400;
const TINY = 1e-300;

/**
 * Returns the limits for k successes in n trials: the quantiles α/2 of Beta(k, n − k + 1) and 1 − α/2 of Beta(k + 1, n
 * − k).
 */
export function exactLimits(k: number, n: number, alpha: number): Pair<number> {
  return [lowerLimit(k, n, alpha / 2), 1 - lowerLimit(n - k, n, alpha / 2)];
}

/** Returns the success probability at which n trials have k or more successes with probability `level`. */
export function lowerLimit(k: number, n: number, level: number): number {
  if (k === 0) return 0;
  if (k === n) return level ** (1 / n);
  const b = n - k + 1;
  let [low, high] = [0, 1];
  let at = k / n;
  // These are steps of Newton's method. If a step leaves the interval from `low` to `high`, the interval is
  // halved instead.
  for (let i = 0; i < STEPS; i++) {
    const away = incompleteBeta(at, k, b) - level;
    if (away < 0) low = at;
    else high = at;
    const next = at - (away * at * (1 - at)) / frontOf(at, k, b);
    const inside = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(inside - at) <= 1e-15 * at) return inside;
    at = inside;
  }
  return at;
}

/**
 * Returns the probability that a variable with distribution Beta(a, b) is below x. A continued fraction computes it, on
 * the side of x where the fraction converges.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = frontOf(x, a, b);
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a;
  return 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Returns the density of Beta(a, b) at x, times x (1 − x). */
function frontOf(x: number, a: number, b: number): number {
  const scale = logGamma(a + b) - logGamma(a) - logGamma(b);
  return Math.exp(scale + a * Math.log(x) + b * Math.log1p(-x));
}

/** Returns the continued fraction of the incomplete beta function. It uses Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let value = d;
  const take = (part: number) => {
    d = 1 / away(1 + part * d);
    c = away(1 + part / c);
    value *= c * d;
  };
  for (let m = 1; m <= TERMS; m++) {
    take((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)));
    take((-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)));
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];

/** Returns the logarithm of the gamma function at a positive number. Beyond 15 it uses Stirling's series. */
export function logGamma(z: number): number {
  let product = 1;
  let at = z;
  while (at < 15) {
    product *= at;
    at += 1;
  }
  const rest = STIRLING.reduceRight((sum, factor) => sum / (at * at) + factor, 0) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + rest - Math.log(product);
}
