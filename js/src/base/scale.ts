// From values to places on an axis and back.

import { expit, logit } from "./logit.ts";

/** Maps values between `min` and `max` to fractions of a track, and back. */
export interface Scale {
  min: number;
  max: number;
  toFraction(value: number): number;
  fromFraction(fraction: number): number;
}

/** A scale under strips of points: it has a middle value, and values beyond its ends. */
export interface Axis extends Scale {
  kind: "linear" | "asinh" | "log-odds";
  ticks: readonly number[];
  /** The middle value: 0 for residuals, one half for scores. */
  center: number;
}

export function linear(min: number, max: number): Scale {
  return {
    min,
    max,
    toFraction: (value) => (value - min) / (max - min),
    fromFraction: (fraction) => min + fraction * (max - min),
  };
}

function logarithmic(min: number, max: number): Scale {
  const log = linear(Math.log(min), Math.log(max));
  return {
    min,
    max,
    toFraction: (value) => log.toFraction(Math.log(value)),
    fromFraction: (fraction) => Math.exp(log.fromFraction(fraction)),
  };
}

export function linearAxis(min: number, max: number, ticks: readonly number[]): Axis {
  return { ...linear(min, max), ticks, kind: "linear", center: min < 0 ? 0 : 0.5 };
}

/** Linear within about `unit` of zero, logarithmic far from it. */
export function asinhAxis(min: number, max: number, unit: number, ticks: readonly number[]): Axis {
  const inner = linear(Math.asinh(min / unit), Math.asinh(max / unit));
  return {
    kind: "asinh",
    center: 0,
    min,
    max,
    ticks,
    toFraction: (value) => inner.toFraction(Math.asinh(value / unit)),
    fromFraction: (fraction) => unit * Math.sinh(inner.fromFraction(fraction)),
  };
}

/** Probabilities by their log-odds from -`reach` to `reach`; the ends of a track stand for 0 and 1, which lie beyond. */
export function logOddsAxis(reach: number, ticks: readonly number[]): Axis {
  const inner = linear(-reach, reach);
  return {
    kind: "log-odds",
    center: 0.5,
    min: 0,
    max: 1,
    ticks,
    toFraction: (value) => inner.toFraction(logit(value)),
    fromFraction(fraction) {
      if (fraction <= 0) return 0;
      return fraction >= 1 ? 1 : expit(inner.fromFraction(fraction));
    },
  };
}

export const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

export const alphaScale = logarithmic(0.001, 0.5);

export const THRESHOLD_TICKS: readonly number[] = [0, 0.25, 0.5, 0.75, 1];
