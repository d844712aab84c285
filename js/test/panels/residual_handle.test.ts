import { expect, test } from "vitest";
import { linearAxis } from "../../src/base/scale.ts";
import { flagsOf, handleWords, placeOf } from "../../src/panels/residual_handle.ts";

const WORDS = [
  handleWords({ rank: 7, residual: -1.22 }),
  handleWords({ rank: 325, residual: 2.43 }),
] as const;
const at = (lower: number, upper: number, width = 344) => flagsOf([lower, upper], WORDS, width);

test("a handle says its rank and value, and nothing where the strip says that there is none", () => {
  expect(WORDS[0]).toEqual({ full: "7th −1.22", short: "−1.22" });
  expect(handleWords({ rank: 0, residual: Number.NEGATIVE_INFINITY })).toEqual({ full: "", short: "" });
});

test("the words stand outside the pair where there is room", () => {
  expect(at(120, 220)).toEqual([
    { side: "left", form: "full" },
    { side: "right", form: "full" },
  ]);
});

test("they move inside where the end is too near", () => {
  expect(at(60, 220)[0]).toEqual({ side: "right", form: "full" });
  expect(at(120, 340)[1]).toEqual({ side: "left", form: "full" });
});

test("they lose the rank, both together, where that is not possible either", () => {
  expect(at(60, 110)[0]).toEqual({ side: "left", form: "short" });
  expect(at(60, 180, 240)).toEqual([
    { side: "left", form: "short" },
    { side: "right", form: "short" },
  ]);
});

test("words that fit nowhere are left out", () => {
  expect(at(2, 30, 40)).toEqual([
    { side: "left", form: "none" },
    { side: "right", form: "none" },
  ]);
});

test("inside they are shortened where they would meet", () => {
  expect(at(2, 120, 122)).toEqual([
    { side: "right", form: "short" },
    { side: "left", form: "short" },
  ]);
});

test("a residual beyond the axis stands at its end", () => {
  const axis = linearAxis(-1, 1, []);
  const places = [Number.NEGATIVE_INFINITY, -3, 0, 9].map((residual) => placeOf(residual, axis, 200));
  expect(places).toEqual([0, 0, 100, 200]);
});
