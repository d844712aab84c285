// Exact binomial limits of a share (Clopper and Pearson 1934); their twin is binomial_limits.py.

import type { Pair } from "../base/pair.ts";

/** The most steps: after so many halvings no digit that is shown changes. */
const STEPS = 60;
const TERMS = 400;
const TINY = 1e-300;

/** Limits of a share that is k of n: the quantiles α/2 of Beta(k, n − k + 1) and 1 − α/2 of Beta(k + 1, n − k). */
export function exactLimits(k: number, n: number, alpha: number): Pair<number> {
  return [lowerLimit(k, n, alpha / 2), 1 - lowerLimit(n - k, n, alpha / 2)];
}

/** Probability of success that would give k of n, or more, with this probability. */
export function lowerLimit(k: number, n: number, level: number): number {
  if (k === 0) return 0;
  if (k === n) return level ** (1 / n);
  const b = n - k + 1;
  let [low, high] = [0, 1];
  let at = k / n;
  // Newton's method, which halves the interval where a step would leave it.
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

/** Share of Beta(a, b) below x: a continued fraction, on the side where it converges. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = frontOf(x, a, b);
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a;
  return 1 - (front * fraction(1 - x, b, a)) / b;
}

/** The density at x times x (1 − x). */
function frontOf(x: number, a: number, b: number): number {
  const scale = logGamma(a + b) - logGamma(a) - logGamma(b);
  return Math.exp(scale + a * Math.log(x) + b * Math.log1p(-x));
}

/** The fraction by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const away = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= TERMS; m++) {
    for (const part of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / away(1 + part * d);
      c = away(1 + part / c);
      value *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];

/** Logarithm of the gamma function of a number above 0, by Stirling's series beyond 15. */
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
