// Finds the nearest of several numbers.

/**
 * Returns the index of the value whose ratio to `to` is closest to 1. If several are equally close, returns the first.
 * If there are no values, returns -1.
 */
export const nearestInRatio = (values: ArrayLike<number>, to: number) =>
  leastOf(values, (value) => Math.abs(Math.log(value / to)));

/** Returns the index of the nearest value. */
export const nearest = (values: ArrayLike<number>, to: number) =>
  leastOf(values, (value) => Math.abs(value - to));

function leastOf(values: ArrayLike<number>, awayOf: (value: number) => number): number {
  const away = Array.from(values, awayOf);
  return away.indexOf(Math.min(...away));
}
