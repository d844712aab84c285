// Caches results of functions.

/**
 * Wraps a function whose first argument is an object, so that the last result for each object is cached. If
 * another argument changes, the result is computed anew. The result is freed with the object.
 */
export function remembered<Key extends object, Rest extends unknown[], Value>(
  compute: (of: Key, ...rest: Rest) => Value,
): (of: Key, ...rest: Rest) => Value {
  const known = new WeakMap<Key, { rest: Rest; value: Value }>();
  return (of, ...rest) => {
    let last = known.get(of);
    if (!last?.rest.every((each, i) => each === rest[i])) {
      last = { rest, value: compute(of, ...rest) };
      known.set(of, last);
    }
    return last.value;
  };
}
