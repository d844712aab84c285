/** Index of the value that is nearest in ratio: the first of equal ones, -1 if there are no values. */
export function nearestInRatio(values: ArrayLike<number>, to: number): number {
  const away = Array.from(values, (value) => Math.abs(Math.log(value / to)));
  return away.indexOf(Math.min(...away));
}
