/** The quantile of ascending values, between two of them in proportion. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const place = share * (values.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, values.length - 1);
  return values[below] + (place - below) * (values[above] - values[below]);
}
