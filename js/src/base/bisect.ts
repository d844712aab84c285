// Searches ordered values.

/**
 * Returns the first index from 0 to n - 1 for which `isBefore` is false, or n if there is none. If `isBefore` is false
 * for an index, it must be false for all later ones.
 */
export function partitionPoint(n: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
