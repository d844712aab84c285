// Tells whether values have changed, so that code redraws only then.

/**
 * Returns a function that takes values and tells whether any of them differs from the previous call. The first call
 * returns true.
 */
export function createChanges(): (...values: unknown[]) => boolean {
  let known: unknown[] = [];
  return (...values) => {
    const isSame = known.length > 0 && values.every((each, i) => each === known[i]);
    known = values;
    return !isSame;
  };
}
