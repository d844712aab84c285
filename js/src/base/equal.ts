/** Whether two values of a message are equal. A value is a number, a text, or a list or record of values. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (isList(one) && isList(other)) {
    return one.length === other.length && Array.prototype.every.call(one, (v, i) => isSameValue(v, other[i]));
  }
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSameValue(one[name as keyof object], other[name as keyof object]))
  );
}

const isList = (value: object): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
