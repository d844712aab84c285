/** Length of the longest start of 0, 1, ..., n - 1 on which `isBefore` holds; it must not hold again after that. */
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
