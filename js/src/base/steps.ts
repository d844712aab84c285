// Computes the values that a slider can take when the user drags it or presses an arrow key or a page key.

import { leastStep, multiple } from "./multiple.ts";
import { nearestInRatio } from "./nearest.ts";
import { clamp } from "./scale.ts";

const PARTS = 1000;

/**
 * Returns the multiple of `step` nearest to `value`. `step` is a whole number of thousandths. The result is the float
 * nearest to a decimal number: 0.3, not 0.30000000000000004.
 */
export function snap(value: number, step: number): number {
  const thousandths = Math.round(step * PARTS);
  return (Math.round((value * PARTS) / thousandths) * thousandths) / PARTS;
}

/**
 * Returns the next multiple of `step` above `value` (if `sign` is 1) or below it (if -1). `nearest` rounds a value to a
 * multiple.
 */
export function nextMultiple(value: number, step: number, sign: 1 | -1, nearest = snap): number {
  const here = nearest(value, step);
  const tolerance = 1e-6 * step;
  const passed = sign > 0 ? here > value + tolerance : here < value - tolerance;
  return passed ? here : nearest(here + sign * step, step);
}

/**
 * The values that a slider can take. If the pointer is at `value`, `grid` returns the value that a drag sets. If the
 * slider is at `value`, `arrow` and `page` return the value that an arrow key and a page key set.
 */
export interface Steps {
  grid(value: number): number;
  arrow(value: number, sign: 1 | -1): number;
  page(value: number, sign: 1 | -1): number;
}

const ALPHA_PAGES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

export const alphaSteps: Steps = {
  grid: (value) => snap(value, value < 0.1 ? 0.001 : 0.005),
  arrow: (value, sign) => nextMultiple(value, alphaArrow(sign > 0 ? value : value - 0.001), sign),
  page: (value, sign) => nextStop(ALPHA_PAGES, value, sign),
};

function alphaArrow(value: number): number {
  if (value < 0.02) return 0.001;
  return value < 0.1 ? 0.005 : 0.01;
}

/**
 * Returns the first of the ascending `stops` above `value` (if `sign` is 1) or below it (if -1). If there is none,
 * returns the last stop in that direction.
 */
export function nextStop(stops: readonly number[], value: number, sign: 1 | -1): number {
  return sign > 0
    ? (stops.find((stop) => stop > value) ?? stops[stops.length - 1])
    : (stops.findLast((stop) => stop < value) ?? stops[0]);
}

/**
 * Returns the steps of a slider that can have only the values `stops`. The pointer sets the nearest stop (by
 * default, nearest in ratio). An arrow key sets the next stop, and a page key the next but one.
 */
export function stopSteps(stops: readonly number[], nearest = nearestInRatio): Steps {
  return {
    grid: (value) => stops[nearest(stops, value)],
    arrow: (value, sign) => nextStop(stops, value, sign),
    page: (value, sign) => nextStop(stops, nextStop(stops, value, sign), sign),
  };
}

export const thresholdSteps: Steps = {
  grid: (value) => snap(value, 0.001),
  arrow: (value, sign) => nextMultiple(value, 0.01, sign),
  page: (value, sign) => nextMultiple(value, 0.1, sign),
};

/**
 * Returns the steps of a slider for scores that are not probabilities. A drag, an arrow key and a page key move it by
 * about 1/1000, 1/100 and 1/10 of the scores' range.
 */
export function scoreSteps(min: number, max: number): Steps {
  const unit = 10 ** Math.ceil(Math.log10(Math.max((max - min) / PARTS, leastStep(min, max))));
  const nearest = (value: number, step: number) => multiple(Math.round(value / step), step);
  return {
    grid: (value) => nearest(value, unit),
    arrow: (value, sign) => nextMultiple(value, 10 * unit, sign, nearest),
    page: (value, sign) => nextMultiple(value, 100 * unit, sign, nearest),
  };
}

const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const ODDS_PAGES = [0, 0.0001, 0.001, 0.01, ...TENTHS, 0.99, 0.999, 0.9999, 1];

/**
 * The steps of a slider of probabilities. Near 0 and 1 a step has one more decimal for each factor of ten.
 */
export const logOddsSteps: Steps = {
  grid: (value) => rounded(value, 1),
  arrow(value, sign) {
    const nearest = (to: number, step: number) => decimal(Math.round(to / step) * step, 6);
    return clamp(nextMultiple(value, 10 ** -decimalsAt(value, sign), sign, nearest), 0, 1);
  },
  page: (value, sign) => nextStop(ODDS_PAGES, value, sign),
};

/**
 * Returns the number of decimals of an arrow key's step: two between 0.1 and 0.9, three between 0.01 and 0.99 and so
 * on, at most four. If a value is on a border, the direction of the step decides.
 */
function decimalsAt(value: number, sign: 1 | -1): number {
  const next = value + sign * 1e-6;
  const tail = Math.max(Math.min(next, 1 - next), 1e-9);
  return clamp(1 - Math.floor(Math.log10(tail)), 2, 4);
}

/**
 * Returns the value, rounded to 2 + `more` significant digits. If 1 - value is smaller than the value, the
 * digits of 1 - value are counted.
 */
function rounded(value: number, more: number): number {
  const tail = Math.min(value, 1 - value);
  return tail <= 0 ? value : decimal(value, Math.min(1 - Math.floor(Math.log10(tail)) + more, 8));
}

const decimal = (value: number, digits: number) => Number(value.toFixed(digits));

/** The 180 values of alpha on the slider: 0.001 to 0.1 in steps of 0.001, then up to 0.5 in steps of 0.005. */
export const ALPHA_STOPS: readonly number[] = Array.from({ length: 180 }, (_, i) =>
  i < 100 ? (i + 1) / 1000 : (5 * i - 395) / 1000,
);

/**
 * Returns the index of the largest of `ALPHA_STOPS` that does not exceed an alpha, or -1. Limits at that smaller alpha
 * have at least the confidence asked for.
 */
export const stopOf = (alpha: number) => ALPHA_STOPS.findLastIndex((stop) => stop <= alpha);
