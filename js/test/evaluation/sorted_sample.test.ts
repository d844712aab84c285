import { expect, test } from "vitest";
import { logit } from "../../src/base/logit.ts";
import { TIE } from "../../src/base/ties.ts";
import { type Ends, shareAbove, shareRankedAbove, sharesAbove } from "../../src/evaluation/sorted_sample.ts";

const ends = (values: number[], shift = 0): Ends => ({ values: Float64Array.from(values), shift });
const INFINITE = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Numbers that look random but are the same in every run. */
function scattered(n: number, digits: number): number[] {
  return Array.from({ length: n }, (_, i) => Number((((i * 0.618034) % 1) * 6 - 3).toFixed(digits)));
}

test("a threshold of 1 or more is above, one of 0 or less is below everything finite", () => {
  expect([1, 2, 0, -1].map(logit)).toEqual([INFINITE[1], INFINITE[1], INFINITE[0], INFINITE[0]]);
  expect(logit(0.5)).toBe(0);
  for (const p of [0.001, 0.3, 0.4, 0.6, 0.65, 0.999]) {
    expect(logit(p)).toBeCloseTo(Math.log(p / (1 - p)), 12);
  }
});

test("an end at the threshold is not above it, whatever the last digits of the sum", () => {
  const { values, shift } = ends([0.1, 0.2, 0.3], 0.2);
  expect(0.1 + 0.2).not.toBe(0.3);
  for (const at of [0.3, 0.1 + 0.2]) expect(shareAbove({ values, shift }, at)).toBe(2 / 3);
  expect(shareAbove({ values, shift }, 0.3 - 2 * TIE)).toBe(1);
  expect(shareAbove({ values, shift }, 0.5)).toBe(0);
});

test("one walk and one search find what counting finds, ties, infinities and any order included", () => {
  for (const shift of [-1.1, 0, 0.3, ...INFINITE]) {
    const some = ends(
      scattered(200, 1).sort((a, b) => a - b),
      shift,
    );
    const thresholds = [...scattered(90, 1), ...INFINITE];
    for (const order of [thresholds, thresholds.toSorted((a, b) => b - a)]) {
      const walked = sharesAbove(some, Float64Array.from(order));
      order.forEach((threshold, j) => {
        const counted = [...some.values].filter((value) => value + some.shift > threshold + TIE).length / 200;
        expect(walked[j]).toBe(counted);
        expect(shareAbove(some, threshold)).toBe(counted);
      });
    }
  }
});

test("ranks are compared pair by pair, ties half", () => {
  expect(shareRankedAbove(ends([1, 2, 3]), ends([1, 2, 3]))).toBe(0.5);
  expect(shareRankedAbove(ends([2, 3]), ends([1, 2]))).toBe(3.5 / 4);
  expect(shareRankedAbove(ends([1], 2), ends([1, 2], 0.5))).toBe(1);
  expect(shareRankedAbove(ends([1], INFINITE[0]), ends([1, 2], INFINITE[1]))).toBe(0);
  expect(shareRankedAbove(ends([1], INFINITE[0]), ends([1, 2], INFINITE[0]))).toBe(0.5);
  expect(shareRankedAbove(ends([0.3]), ends([0.1], 0.2))).toBe(0.5);
  expect(shareRankedAbove(ends([0.3]), ends([0.1], 0.2 - 2 * TIE))).toBe(1);
});

test("values that are counted are as if each stood so often", () => {
  const counted = (values: number[], counts: number[], shift: number): Ends => {
    const before = [0];
    for (const count of counts) before.push(before[before.length - 1] + count);
    return { values: Float64Array.from(values), shift, before: Float64Array.from(before) };
  };
  const repeated = (values: number[], counts: number[], shift: number) =>
    ends(
      values.flatMap((value, i) => Array<number>(counts[i]).fill(value)),
      shift,
    );
  const upper = [[-1, 0, 0.5, 2], [3, 1, 0, 2], 0.5] as const;
  const lower = [[-0.5, 0.5, 1], [2, 4, 1], 0] as const;
  const [a, b] = [counted([...upper[0]], [...upper[1]], 0.5), counted([...lower[0]], [...lower[1]], 0)];
  const [c, d] = [repeated([...upper[0]], [...upper[1]], 0.5), repeated([...lower[0]], [...lower[1]], 0)];
  expect(shareRankedAbove(a, b)).toBe(shareRankedAbove(c, d));
  expect(shareRankedAbove(a, d)).toBe(shareRankedAbove(c, b));
  for (const at of [-0.6, 0.5, 1, 3]) expect(shareAbove(a, at)).toBe(shareAbove(c, at));
});
