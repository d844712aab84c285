// Computes quantiles of the normal distribution. Python uses SciPy's.

import type { Pair } from "./pair.ts";

const DENSITY = 1 / Math.sqrt(2 * Math.PI);

/** Returns the z for which a standard normal variable is outside -z to z with probability `alpha`. */
export function deviations(alpha: number): number {
  let z = 0;
  // Newton's method never overshoots, because the distribution function is concave for positive z.
  for (let i = 0; i < 100; i++) {
    const density = DENSITY * Math.exp((-z * z) / 2);
    const step = (0.5 - alpha / 2 - density * aboveMiddle(z)) / density;
    z += step;
    if (Math.abs(step) < 1e-12) break;
  }
  return z;
}

/** Returns the normal probability between 0 and z, divided by the normal density at z. */
function aboveMiddle(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; term > 1e-17 * sum; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return sum;
}

/** Returns the normal limits of a value with standard deviation `sd`, clipped to the range of possible values. */
export function normalLimits(
  value: number,
  sd: number,
  alpha: number,
  [least, most]: Pair<number>,
): Pair<number> {
  const half = sd > 0 ? deviations(alpha) * sd : 0;
  return [Math.max(value - half, least), Math.min(value + half, most)];
}
