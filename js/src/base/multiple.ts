// Computes multiples of a step, without the noise of rounding.

/**
 * The number of digits of k * step that are kept, unless `k` has more. A float has about 16 digits, and the
 * noise of rounding is in the last ones.
 */
const DIGITS = 12;

/** Returns `k` times a `step` of few digits, without the noise of rounding: 0.3, and not 0.30000000000000004. */
export function multiple(k: number, step: number): number {
  const whole = Math.ceil(Math.log10(Math.max(Math.abs(k), 1))) + 3;
  return Number((k * step).toPrecision(Math.min(Math.max(DIGITS, whole), 17)));
}

/**
 * Returns the smallest usable step between numbers from `min` to `max`. The multiples of a smaller step could
 * be equal as floating-point numbers.
 */
export const leastStep = (min: number, max: number) =>
  Math.max(Math.abs(min), Math.abs(max)) * 4 * Number.EPSILON;
