/** Maps values between `min` and `max` to fractions of a track, and back. */
export interface Scale {
  min: number;
  max: number;
  ticks: number[];
  toFraction(value: number): number;
  fromFraction(fraction: number): number;
}

export function linear(min: number, max: number, ticks: number[]): Scale {
  return {
    min,
    max,
    ticks,
    toFraction: (value) => (value - min) / (max - min),
    fromFraction: (fraction) => min + fraction * (max - min),
  };
}

export function logarithmic(min: number, max: number, ticks: number[]): Scale {
  const log = linear(Math.log(min), Math.log(max), []);
  return {
    min,
    max,
    ticks,
    toFraction: (value) => log.toFraction(Math.log(value)),
    fromFraction: (fraction) => Math.exp(log.fromFraction(fraction)),
  };
}

export const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

const PARTS = 1000;

/** The multiple of `step` (a whole number of thousandths) nearest to `value`, as the float its decimal stands for. */
export function snap(value: number, step: number): number {
  const thousandths = Math.round(step * PARTS);
  return (Math.round((value * PARTS) / thousandths) * thousandths) / PARTS;
}

/** The multiple of `step` that comes after `value` in the direction of `sign`. */
export function nextMultiple(value: number, step: number, sign: 1 | -1): number {
  const here = snap(value, step);
  const tolerance = 1e-9;
  const passed = sign > 0 ? here > value + tolerance : here < value - tolerance;
  return passed ? here : snap(here + sign * step, step);
}

/** What a slider's keys and drags may set: a grid for the pointer, a step for the arrows, a stride for the pages. */
export interface Steps {
  grid(value: number): number;
  arrow(value: number, sign: 1 | -1): number;
  page(value: number, sign: 1 | -1): number;
}

export const alphaScale = logarithmic(0.001, 0.5, [0.001, 0.01, 0.05, 0.1, 0.2, 0.5]);

const ALPHA_PAGES = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

export const alphaSteps: Steps = {
  grid: (value) => snap(value, value < 0.1 ? 0.001 : 0.005),
  arrow: (value, sign) => nextMultiple(value, alphaArrow(sign > 0 ? value : value - 0.001), sign),
  page: (value, sign) =>
    sign > 0
      ? (ALPHA_PAGES.find((stop) => stop > value) ?? alphaScale.max)
      : (ALPHA_PAGES.findLast((stop) => stop < value) ?? alphaScale.min),
};

function alphaArrow(value: number): number {
  if (value < 0.02) return 0.001;
  return value < 0.1 ? 0.005 : 0.01;
}

export const thresholdScale = linear(0, 1, [0, 0.25, 0.5, 0.75, 1]);

export const thresholdSteps: Steps = {
  grid: (value) => snap(value, 0.001),
  arrow: (value, sign) => nextMultiple(value, 0.01, sign),
  page: (value, sign) => nextMultiple(value, 0.1, sign),
};
