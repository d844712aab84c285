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
  const scale = scaleOf(k, b);
  let [low, high] = [0, 1];
  let at = k / n;
  // These are steps of Newton's method. If a step leaves the interval from `low` to `high`, the interval is
  // halved instead.
  for (let i = 0; i < STEPS; i++) {
    const front = frontOf(at, k, b, scale);
    const away = partBelow(at, k, b, front) - level;
    if (away < 0) low = at;
    else high = at;
    const next = at - (away * at * (1 - at)) / front;
    const inside = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(inside - at) <= 1e-15 * at) return inside;
    at = inside;
  }
  return at;
}

/** Returns the probability that a variable with distribution Beta(a, b) is below x. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  return partBelow(x, a, b, frontOf(x, a, b, scaleOf(a, b)));
}

/** Returns the same for x between 0 and 1. A continued fraction computes it, on the side of x where it converges. */
function partBelow(x: number, a: number, b: number, front: number): number {
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a;
  return 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Returns the logarithm of the factor that makes the density of Beta(a, b) integrate to 1. */
const scaleOf = (a: number, b: number) => logGamma(a + b) - logGamma(a) - logGamma(b);

/** Returns the density of Beta(a, b) at x, times x (1 − x). */
const frontOf = (x: number, a: number, b: number, scale: number) =>
  Math.exp(scale + a * Math.log(x) + b * Math.log1p(-x));

const awayFromZero = (value: number) => (Math.abs(value) < TINY ? TINY : value);

/** Returns the continued fraction of the incomplete beta function. It uses Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let i = 2; i <= 2 * TERMS + 1; i++) {
    const m = i >> 1;
    const part =
      i % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + part * d);
    c = awayFromZero(1 + part / c);
    value *= c * d;
    if (i % 2 === 1 && Math.abs(c * d - 1) < 1e-15) break;
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
  let rest = 0;
  for (let i = STIRLING.length - 1; i >= 0; i--) rest = rest / (at * at) + STIRLING[i];
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + rest / at - Math.log(product);
}
