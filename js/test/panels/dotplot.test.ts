import { describe, expect, test } from "vitest";
import { firstAbove, firstAtLeast, type Marks, marksOf } from "../../src/panels/dotplot.ts";

const SIZE = { width: 100, height: 42, baseline: 47.5 };
const points = (values: number[], n = values.length) => ({ n, values });
const spread = (n: number) => Array.from({ length: n }, (_, i) => i / (n - 1));
const identity = (value: number) => value;
const dotsIn = (path: string) => path.match(/h0/g)?.length ?? 0;
const columns = (path: string) => [...path.matchAll(/M([\d.]+) /g)].map(([, x]) => Number(x));

describe("dots", () => {
  test("are one a point, at the pitch that the fullest stack allows", () => {
    const [few] = marksOf([points(spread(20))], identity, SIZE);
    expect([few.kind, few.pitch]).toEqual(["dots", 4.5]);
    expect(dotsIn(few.split(-1, 2).inside)).toBe(20);
    const [more] = marksOf(
      [points(Array.from({ length: 60 }, (_, i) => Math.floor(i / 12) / 5))],
      identity,
      SIZE,
    );
    expect(more.pitch).toBe(3.5);
  });

  test("have the same pitch in both strips, but fewer than fifty points stay large", () => {
    const full = points(Array.from({ length: 60 }, (_, i) => Math.floor(i / 12) / 5));
    const [a, b, c] = marksOf([points(spread(60)), full, points(spread(12))], identity, SIZE);
    expect([a.pitch, b.pitch, c.pitch]).toEqual([3.5, 3.5, 4.5]);
  });

  test("stand in columns, stacked from the baseline", () => {
    const [marks] = marksOf([points([0.5, 0.5, 0.5, 0.9])], identity, SIZE);
    expect(marks.split(-1, 2).inside).toBe("M51.75 45.25h0M51.75 40.75h0M51.75 36.25h0M92.25 45.25h0");
  });

  test("are told apart one by one, both ends included", () => {
    const values = [0.1, 0.2, 0.2, 0.3, 0.4];
    const [marks] = marksOf([points(values)], identity, SIZE);
    const numbers = (from: number, to: number) => {
      const { inside, outside } = marks.split(from, to);
      return [dotsIn(inside), dotsIn(outside)];
    };
    expect(numbers(0.2, 0.3)).toEqual([3, 2]);
    expect(numbers(Number.NEGATIVE_INFINITY, 0.1)).toEqual([1, 4]);
    expect(numbers(0.21, 0.29)).toEqual([0, 5]);
    expect(numbers(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([5, 0]);
  });

  test("that lie off the axis are counted", () => {
    const [marks] = marksOf([points([-2, -1, 0.5, 3, Number.POSITIVE_INFINITY, 9])], identity, SIZE);
    expect([marks.before, marks.after]).toEqual([2, 3]);
    expect(dotsIn(marks.split(-1, 2).inside)).toBe(1);
    expect(marks.split(-5, -1).inside).toBe("");
  });
});

describe("bars", () => {
  const isBars = ({ kind }: Marks) => kind === "bars";

  test("stand for more than 2,000 points, for thinned ones and for stacks that do not fit", () => {
    expect(marksOf([points(spread(2000))], identity, { ...SIZE, width: 344 }).some(isBars)).toBe(false);
    expect(marksOf([points(spread(2001))], identity, { ...SIZE, width: 344 }).every(isBars)).toBe(true);
    expect(marksOf([points(spread(100), 5000)], identity, SIZE).every(isBars)).toBe(true);
    expect(marksOf([points(Array(500).fill(0.5))], identity, SIZE).every(isBars)).toBe(true);
  });

  test("are cut where the class ends", () => {
    const [marks] = marksOf([points(spread(5000))], identity, SIZE);
    const { inside, outside } = marks.split(0.3, 0.7);
    expect(Math.min(...columns(inside))).toBeCloseTo(30, 0);
    expect(Math.max(...columns(inside))).toBeLessThan(70);
    expect(columns(outside).some((x) => x > 31 && x < 69)).toBe(false);
    expect(columns(outside).length).toBeGreaterThan(10);
  });

  test("are faint throughout where nothing is inside", () => {
    const [marks] = marksOf([points(spread(5000))], identity, SIZE);
    expect(marks.split(2, 3).inside).toBe("");
    expect(columns(marks.split(2, 3).outside)).toHaveLength(25);
  });

  test("count thinned points beyond the axis by what they stand for", () => {
    const [marks] = marksOf([points([-1, 0.5, 0.6, 2], 4000)], identity, SIZE);
    expect([marks.before, marks.after]).toEqual([1000, 1000]);
  });

  test("of nothing are nothing", () => {
    const [marks] = marksOf([points([], 100)], identity, SIZE);
    expect(marks.split(-1, 1)).toEqual({ inside: "", outside: "" });
    expect([marks.before, marks.after]).toEqual([0, 0]);
  });
});

test("places among sorted values", () => {
  expect([0, 1, 2, 3, 4].map((value) => firstAtLeast([1, 2, 2, 3], value))).toEqual([0, 0, 1, 3, 4]);
  expect([0, 1, 2, 3, 4].map((value) => firstAbove([1, 2, 2, 3], value))).toEqual([0, 1, 3, 4, 4]);
});
