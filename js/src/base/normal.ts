// Quantiles of the normal distribution. Python has them from SciPy.

import type { Pair } from "./pair.ts";

const DENSITY = 1 / Math.sqrt(2 * Math.PI);

/** How many standard deviations leave `alpha` outside, on both sides together. */
export function deviations(alpha: number): number {
  let z = 0;
  // Newton's method: the distribution function is concave here, so that no step goes too far.
  for (let i = 0; i < 100; i++) {
    const density = DENSITY * Math.exp((-z * z) / 2);
    const step = (0.5 - alpha / 2 - density * aboveMiddle(z)) / density;
    z += step;
    if (Math.abs(step) < 1e-12) break;
  }
  return z;
}

/** The probability between 0 and z over the density at z. */
function aboveMiddle(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; term > 1e-17 * sum; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return sum;
}

/** Large-sample limits, cut at the ends of what is possible. */
export function normalLimits(
  value: number,
  sd: number,
  alpha: number,
  [least, most]: Pair<number>,
): Pair<number> {
  const half = sd > 0 ? deviations(alpha) * sd : 0;
  return [Math.max(value - half, least), Math.min(value + half, most)];
}
