// Steps of the sliders: the values that the pointer, the arrows and the pages set.

import { nearestInRatio } from "./nearest.ts";
import { clamp } from "./scale.ts";

const PARTS = 1000;

/** The multiple of `step` (a whole number of thousandths) nearest to `value`, as the float its decimal stands for. */
export function snap(value: number, step: number): number {
  const thousandths = Math.round(step * PARTS);
  return (Math.round((value * PARTS) / thousandths) * thousandths) / PARTS;
}

/** The multiple of `step` that comes after `value` in the direction of `sign`. */
export function nextMultiple(value: number, step: number, sign: 1 | -1, nearest = snap): number {
  const here = nearest(value, step);
  const tolerance = 1e-6 * step;
  const passed = sign > 0 ? here > value + tolerance : here < value - tolerance;
  return passed ? here : nearest(here + sign * step, step);
}

/** The values that a slider's keys and drags may set: a grid for the pointer, a step for the arrows, a stride for the pages. */
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

/** The stop after `value` in the direction of `sign`; the last one where there is none. `stops` ascend. */
export function nextStop(stops: readonly number[], value: number, sign: 1 | -1): number {
  return sign > 0
    ? (stops.find((stop) => stop > value) ?? stops[stops.length - 1])
    : (stops.findLast((stop) => stop < value) ?? stops[0]);
}

/** Steps among `stops` alone: the pointer sets the nearest in ratio, keys the next. */
export function stopSteps(stops: readonly number[]): Steps {
  return {
    grid: (value) => stops[nearestInRatio(stops, value)],
    arrow: (value, sign) => nextStop(stops, value, sign),
    page: (value, sign) => nextStop(stops, nextStop(stops, value, sign), sign),
  };
}

export const thresholdSteps: Steps = {
  grid: (value) => snap(value, 0.001),
  arrow: (value, sign) => nextMultiple(value, 0.01, sign),
  page: (value, sign) => nextMultiple(value, 0.1, sign),
};

/** Steps on the track of scores that are no probabilities: about a thousandth, a hundredth and a tenth of their range. */
export function scoreSteps(min: number, max: number): Steps {
  const unit = 10 ** Math.ceil(Math.log10((max - min) / PARTS));
  const nearest = (value: number, step: number) => Number((Math.round(value / step) * step).toPrecision(12));
  return {
    grid: (value) => nearest(value, unit),
    arrow: (value, sign) => nextMultiple(value, 10 * unit, sign, nearest),
    page: (value, sign) => nextMultiple(value, 100 * unit, sign, nearest),
  };
}

const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const ODDS_PAGES = [0, 0.0001, 0.001, 0.01, ...TENTHS, 0.99, 0.999, 0.9999, 1];

/** Steps on a log-odds track: in the tails a decimal more for each factor of ten. */
export const logOddsSteps: Steps = {
  grid: (value) => rounded(value, 1),
  arrow(value, sign) {
    const nearest = (to: number, step: number) => decimal(Math.round(to / step) * step, 6);
    return clamp(nextMultiple(value, 10 ** -decimalsAt(value, sign), sign, nearest), 0, 1);
  },
  page: (value, sign) => nextStop(ODDS_PAGES, value, sign),
};

/** Two decimals between 0.1 and 0.9, three from 0.01 to 0.99, and so on, at most four; on the side where a step leads. */
function decimalsAt(value: number, sign: 1 | -1): number {
  const next = value + sign * 1e-6;
  const tail = Math.max(Math.min(next, 1 - next), 1e-9);
  return clamp(1 - Math.floor(Math.log10(tail)), 2, 4);
}

/** The value, rounded to two digits of itself or of its complement, whichever is smaller, and `more` digits. */
function rounded(value: number, more: number): number {
  const tail = Math.min(value, 1 - value);
  return tail <= 0 ? value : decimal(value, Math.min(1 - Math.floor(Math.log10(tail)) + more, 8));
}

const decimal = (value: number, digits: number) => Number(value.toFixed(digits));

/** The alphas that the slider can reach: 0.001 to 0.1 by 0.001, then 0.105 to 0.5 by 0.005. */
export const ALPHA_STOPS: readonly number[] = Array.from({ length: 180 }, (_, i) =>
  i < 100 ? (i + 1) / 1000 : (5 * i - 395) / 1000,
);

/** Index of the stop that stands for an alpha; between two stops the smaller one, whose limits hold all the more; or -1. */
export const stopOf = (alpha: number) => ALPHA_STOPS.findLastIndex((stop) => stop <= alpha);
