/** Index of the value that is nearest in ratio; of equals the first, and -1 where there is none. */
export function nearestInRatio(values: ArrayLike<number>, to: number): number {
  const away = Array.from(values, (value) => Math.abs(Math.log(value / to)));
  return away.indexOf(Math.min(...away));
}
