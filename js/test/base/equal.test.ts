import { expect, test } from "vitest";
import { isSameValue } from "../../src/base/equal.ts";

test.each([
  [0.1, 0.1],
  [Number.NaN, Number.NaN],
  ["a", "a"],
  [null, null],
  [
    [1, [2, "b"]],
    [1, [2, "b"]],
  ],
  [
    { a: 1, b: { c: [2] } },
    { b: { c: [2] }, a: 1 },
  ],
  [Float64Array.of(1, 2), Float64Array.of(1, 2)],
  [Float64Array.of(1, 2), [1, 2]],
  [{}, {}],
  [[], []],
])("%j and %j are the same", (one, other) => {
  expect(isSameValue(one, other)).toBe(true);
  expect(isSameValue(other, one)).toBe(true);
});

test.each([
  [1, "1"],
  [0, false],
  [null, undefined],
  [null, {}],
  [[1], [1, 2]],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: undefined }],
  [{ a: undefined }, { b: undefined, c: 1 }],
  [Float64Array.of(1, 2), Float64Array.of(1, 3)],
  [{ a: [1] }, { a: { 0: 1, 1: 2 } }],
])("%j and %j differ", (one, other) => {
  expect(isSameValue(one, other)).toBe(false);
  expect(isSameValue(other, one)).toBe(false);
});
