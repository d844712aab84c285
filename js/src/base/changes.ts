// Changes of values from one drawing to the next.

/** Tells whether one of the values is another than at the call before; at the first call it is. */
export function createChanges(): (...values: unknown[]) => boolean {
  let known: unknown[] = [];
  return (...values) => {
    const isSame = known.length > 0 && values.every((each, i) => each === known[i]);
    known = values;
    return !isSame;
  };
}
