// Changes of values from one drawing to the next.

/** Tells whether any value has changed since the last call; true at the first one. */
export function createChanges(): (...values: unknown[]) => boolean {
  let known: unknown[] = [];
  return (...values) => {
    const isSame = known.length > 0 && values.every((each, i) => each === known[i]);
    known = values;
    return !isSame;
  };
}
