// Makes the axes and ticks of the strips.

import { fixed } from "../base/format.ts";
import { logit } from "../base/logit.ts";
import { leastStep, multiple } from "../base/multiple.ts";
import type { Pair } from "../base/pair.ts";
import { quantile } from "../base/quantile.ts";
import { type Axis, asinhAxis, linearAxis, logOddsAxis, THRESHOLD_TICKS } from "../base/scale.ts";
import { thresholdEnds } from "../evaluation/observed_curve.ts";
import type { Evaluation } from "../evaluation/types.ts";

/**
 * Numbers in ascending order. If `n` exceeds their count, they are only a part of n points, at evenly spaced
 * ranks.
 */
export interface Points {
  n: number;
  values: ArrayLike<number>;
}

/** The share of each label's residuals that may be outside the axis at either end, rounded down to whole points. */
const OFF_THE_AXIS = 0.005;
const MARGIN = 0.04;
/** If the range of the residuals exceeds this multiple of their interquartile range, their axis is an asinh scale. */
const LONG = 10;
/** The largest probability on a log-odds axis is one of these. The smallest is 1 minus it. */
const REACHES = [0.995, 0.9995, 0.99995];
const REACHED = 0.95;
/**
 * If more than this share of the scores is below 0.05 or above 0.95, the axis is a log-odds scale. On a
 * linear scale, the dots of these scores would be too close together.
 */
const CROWDED = 0.25;
const LOG_ODDS_TICKS = [0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999];

/**
 * Returns the axis that both residual strips share. It depends only on the residuals, so it never changes during a
 * drag.
 */
export function residualAxis(residuals: Pair<Points>): Axis {
  const finite = residuals.map(({ values }) => finiteOf(values)).filter((values) => values.length > 0);
  if (finite.length === 0) return linearAxis(-1, 1, [-1, 0, 1]);
  const off = (values: number[]) => Math.floor(OFF_THE_AXIS * values.length);
  const low = Math.min(0, ...finite.map((values) => values[off(values)]));
  const high = Math.max(0, ...finite.map((values) => values[values.length - 1 - off(values)]));
  const spreads = finite.map((values) => quantile(values, 0.75) - quantile(values, 0.25));
  const spread = Math.max(...spreads);
  const range = high - low;
  if (range === 0) return linearAxis(-1, 1, [-1, 0, 1]);
  if (spread === 0 || range <= LONG * spread) {
    const [min, max] = [low - MARGIN * range, high + MARGIN * range];
    return linearAxis(min, max, roundTicks(min, max));
  }
  return longAxis(low, high, Math.min(...spreads.filter((each) => each > 0)));
}

/** Returns an asinh axis. It is linear within the smaller of the labels' interquartile ranges. */
function longAxis(low: number, high: number, unit: number): Axis {
  const [from, to] = [Math.asinh(low / unit), Math.asinh(high / unit)];
  const margin = MARGIN * (to - from);
  const [min, max] = [from - margin, to + margin].map((value) => unit * Math.sinh(value));
  return asinhAxis(min, max, unit, decadeTicks(min, max));
}

function finiteOf(values: ArrayLike<number>): number[] {
  return Array.from(values).filter(Number.isFinite);
}

/** Returns four to ten multiples of 1, 2 or 5 times a power of ten. */
export function roundTicks(min: number, max: number): number[] {
  const power = 10 ** Math.floor(Math.log10((max - min) / 4));
  const step = [5, 2, 1].map((factor) => factor * power).find((each) => (max - min) / each >= 4) ?? power;
  // If the step is too short, its multiples are equal as floats.
  if (step < leastStep(min, max)) return [min, max];
  const ticks: number[] = [];
  for (let k = Math.ceil(min / step); k * step <= max; k++) ticks.push(multiple(k, step));
  return ticks;
}

/**
 * Returns ticks at 0 and, on both sides, at 1 and 3 times powers of ten. If the axis reaches beyond 3, the
 * smallest power is 1. Otherwise it is a tenth of the largest power on the axis.
 */
function decadeTicks(min: number, max: number): number[] {
  const largest = Math.max(-min, max);
  const first = largest > 3 ? 0 : Math.floor(Math.log10(largest)) - 1;
  const sizes: number[] = [];
  for (let power = first; 10 ** power <= largest; power++) {
    sizes.push(...[1, 3].map((factor) => multiple(factor, 10 ** power)));
  }
  const ticks = [...sizes.toReversed().map((size) => -size), 0, ...sizes];
  return ticks.filter((tick) => tick >= min && tick <= max);
}

/**
 * Returns the axis of the score strips and of the threshold's slider. If more than a quarter of the scores are near 0
 * or 1, it is a log-odds scale. If the scores are not probabilities, it is linear in their unit.
 */
export function scoreAxis({
  scores,
  anySize,
  thresholds,
}: Pick<Evaluation, "scores"> & Partial<Evaluation>): Axis {
  if (anySize && thresholds) {
    const [low, high] = thresholdEnds(thresholds);
    const [min, max] = [low - MARGIN * (high - low), high + MARGIN * (high - low)];
    return linearAxis(min, max, roundTicks(min, max));
  }
  const n = scores[0].n + scores[1].n;
  const share = (is: (score: number) => boolean) =>
    scores.reduce((sum, points) => sum + shareOf(points.values, is) * points.n, 0) / n;
  if (share((score) => score < 0.05 || score > 0.95) <= CROWDED) return linearAxis(0, 1, THRESHOLD_TICKS);
  const within = (reach: number) => share((score) => score > 1 - reach && score < reach);
  const reach = REACHES.find((each) => within(each) >= REACHED) ?? REACHES[REACHES.length - 1];
  const ticks = LOG_ODDS_TICKS.filter((tick) => Math.abs(logit(tick)) < logit(reach));
  return logOddsAxis(logit(reach), ticks);
}

function shareOf(values: ArrayLike<number>, is: (value: number) => boolean): number {
  if (values.length === 0) return 0;
  return Array.from(values).filter(is).length / values.length;
}

export const residualTick = (value: number) => (value > 0 ? "+" : "") + scoreTick(value);

export const scoreTick = (value: number) => fixed(value, 4).replace(/\.?0+$/, "");

export interface Tick {
  value: number;
  text: string;
  /** Distance from the start of the axis in pixels. */
  x: number;
}

const TICK_CHAR = 7;
const TICK_GAP = 8;

/** The alignment of a tick's text. It is centred on the tick, except at the ends of the axis, where it stays inside. */
export type TickPlace = "start" | "middle" | "end";

const widthOf = ({ text }: Pick<Tick, "text">) => text.length * TICK_CHAR;

export function tickPlace({ text, x }: Tick, pixels: number): TickPlace {
  const half = widthOf({ text }) / 2;
  if (x < half) return "start";
  return x + half > pixels ? "end" : "middle";
}

/**
 * Returns the values whose texts have room. An earlier value takes its room before a later one. `boxOf`
 * returns where a text begins and ends.
 */
export function withRoom(values: readonly number[], boxOf: (value: number) => Pair<number>, gap: number) {
  const taken: Pair<number>[] = [];
  return values.filter((value) => {
    const [left, right] = boxOf(value);
    if (taken.some(([from, to]) => left < to + gap && from < right + gap)) return false;
    taken.push([left, right]);
    return true;
  });
}

/** Returns the ticks whose texts fit on an axis of `pixels` without touching. The middle tick is never left out. */
export function fittingTicks(axis: Axis, pixels: number, text: (value: number) => string): Tick[] {
  const ticks = axis.ticks.map((value) => ({ value, text: text(value), x: axis.toFraction(value) * pixels }));
  const share = { start: 0, middle: 0.5, end: 1 };
  const left = (tick: Tick) => tick.x - widthOf(tick) * share[tickPlace(tick, pixels)];
  const isFree = (before: Tick, after: Tick) => left(before) + widthOf(before) + TICK_GAP <= left(after);
  const middle = ticks.findIndex((tick) => tick.value === axis.center);
  const start = Math.max(middle, 0);
  const fitting = ticks.slice(start, start + 1);
  for (const tick of ticks.slice(start + 1)) {
    if (isFree(fitting[fitting.length - 1], tick)) fitting.push(tick);
  }
  for (const tick of ticks.slice(0, start).toReversed()) {
    if (isFree(tick, fitting[0])) fitting.unshift(tick);
  }
  return fitting;
}
