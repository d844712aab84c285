// Converts values to positions on an axis, and back.

import { expit, logit } from "./logit.ts";

/** Converts values between `min` and `max` to fractions of a track's length, and back. */
export interface Scale {
  min: number;
  max: number;
  toFraction(value: number): number;
  fromFraction(fraction: number): number;
}

/** The scale of the axis below a strip of points. A point may be outside the axis. */
export interface Axis extends Scale {
  kind: "linear" | "asinh" | "log-odds";
  ticks: readonly number[];
  /** The value in the middle of the ticks: 0 for residuals, 0.5 for scores. */
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

/**
 * Returns a scale on which positions are linear in `bent(value)`. `straight` is the inverse function of
 * `bent`.
 */
function warped(
  min: number,
  max: number,
  bent: (value: number) => number,
  straight: (value: number) => number,
): Scale {
  const inner = linear(bent(min), bent(max));
  return {
    min,
    max,
    toFraction: (value) => inner.toFraction(bent(value)),
    fromFraction: (fraction) => straight(inner.fromFraction(fraction)),
  };
}

export function linearAxis(min: number, max: number, ticks: readonly number[]): Axis {
  return { ...linear(min, max), ticks, kind: "linear", center: min < 0 ? 0 : 0.5 };
}

/** Returns a scale that is linear up to about `unit` from zero, and logarithmic farther away. */
export function asinhAxis(min: number, max: number, unit: number, ticks: readonly number[]): Axis {
  const scale = warped(
    min,
    max,
    (value) => Math.asinh(value / unit),
    (value) => unit * Math.sinh(value),
  );
  return { ...scale, kind: "asinh", center: 0, ticks };
}

/**
 * Returns a scale of probabilities, linear in their log-odds from -`reach` to `reach`. The ends of the track stand for
 * 0 and 1, whose log-odds are infinite.
 */
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

export const alphaScale = warped(0.001, 0.5, Math.log, Math.exp);

export const THRESHOLD_TICKS: readonly number[] = [0, 0.25, 0.5, 0.75, 1];
