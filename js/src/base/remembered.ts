/** A function that remembers what it made of a thing last, as long as the thing lives and the rest stays the same. */
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
