import { expect, test } from "vitest";
import { linearAxis } from "../../src/base/scale.ts";
import { flagsOf, placeOf } from "../../src/panels/residual_handle.ts";

const at = (lower: number, upper: number, width = 344) => flagsOf([lower, upper], ["−1.22", "+2.43"], width);

test("values stand outside the pair where there is room, else between the two", () => {
  expect(at(120, 220)).toEqual(["left", "right"]);
  expect(at(20, 220)).toEqual(["right", "right"]);
  expect(at(120, 340)).toEqual(["left", "left"]);
  expect(at(20, 340)).toEqual(["right", "left"]);
});

test("values that fit nowhere are left out", () => {
  expect(at(2, 30, 40)).toEqual([null, null]);
  expect(at(20, 60)).toEqual([null, "right"]);
});

test("a residual beyond the axis stands at its end", () => {
  const axis = linearAxis(-1, 1, []);
  const places = [Number.NEGATIVE_INFINITY, -3, 0, 9].map((residual) => placeOf(residual, axis, 200));
  expect(places).toEqual([0, 0, 100, 200]);
});

test("no value stands on the words of a missing limit", () => {
  const beside = (upper: number) => flagsOf([0, upper], ["", "+6.34"], 175, [101, 0])[1];
  expect(beside(60)).toBe("right");
  expect(beside(131)).toBe(null);
  expect(flagsOf([0, 131], ["", "+6.34"], 175)[1]).toBe("left");
});
