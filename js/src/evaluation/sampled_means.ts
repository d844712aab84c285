// Means of numbers from 0 to 1 with more test data: the classes' mean rates, average precision; their twin is sampled_means.py.

import { exactLimits } from "./exact_limits.ts";
import { heightAt } from "./observed_curve.ts";

const HUNDREDTHS = Float64Array.from({ length: 101 }, (_, i) => i / 100);

/** Limits of a mean that varies as the share of so many rows does; of no rows, from 0 to 1. */
export const limitsOfMean = (value: number, rows: number, alpha: number) =>
  exactLimits(value * rows, rows, alpha);

/** Of how many rows a mean rate is at a threshold, from those at each hundredth. */
export const rowsAt = (rows: ArrayLike<number>, threshold: number) =>
  heightAt({ x: HUNDREDTHS, y: Float64Array.from(rows) }, threshold);
