/** Returns the quantile of ascending values at `share` (0 to 1). Between two values it is interpolated linearly. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const place = share * (values.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, values.length - 1);
  return values[below] + (place - below) * (values[above] - values[below]);
}
