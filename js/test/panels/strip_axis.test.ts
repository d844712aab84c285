import { describe, expect, test } from "vitest";
import { quantile } from "../../src/base/quantile.ts";
import { asinhAxis } from "../../src/base/scale.ts";
import {
  fittingTicks,
  residualAxis,
  residualTick,
  roundTicks,
  scoreAxis,
  scoreTick,
  tickPlace,
} from "../../src/panels/strip_axis.ts";

const points = (values: number[]) => ({ n: values.length, values });
const spread = (n: number, from: number, to: number) =>
  Array.from({ length: n }, (_, i) => from + ((to - from) * i) / (n - 1));

describe("the axis of the residuals", () => {
  test("is linear, has zero on it and holds both labels", () => {
    const axis = residualAxis([points(spread(50, 1, 2)), points(spread(50, 1, 3))]);
    expect(axis.kind).toBe("linear");
    expect(axis.min).toBeLessThan(0);
    expect(axis.max).toBeGreaterThan(3);
    expect(axis.ticks).toContain(0);
  });

  test("bends where the range exceeds ten interquartile ranges", () => {
    const body = spread(98, -1, 1);
    const long = residualAxis([points(spread(9, -1, 1)), points([-30, ...body, 30])]);
    expect(long.kind).toBe("asinh");
    expect(long.ticks).toEqual([-30, -10, -3, -1, 0, 1, 3, 10, 30]);
    expect(long.fromFraction(long.toFraction(7))).toBeCloseTo(7, 10);
    const short = residualAxis([points(spread(9, -1, 1)), points([-2, ...body, 2])]);
    expect(short.kind).toBe("linear");
  });

  test("leaves out half a percent at either end, and infinite residuals", () => {
    const outlier = residualAxis([points([0]), points([...spread(999, -1, 1), 9])]);
    expect(outlier.max).toBeLessThan(2);
    const infinite = residualAxis([points([Number.NEGATIVE_INFINITY, 0, 1]), points([-1, 1])]);
    expect(infinite.min).toBeCloseTo(-1.08, 10);
  });

  test("exists for one value, and for none", () => {
    expect(residualAxis([points([]), points([])]).toFraction(0)).toBe(0.5);
    expect(residualAxis([points([0]), points([0])]).toFraction(0)).toBe(0.5);
    expect(residualAxis([points([2]), points([])]).toFraction(2)).toBeLessThan(1);
  });
});

describe("the axis of the scores", () => {
  const scores = (...values: number[]) => ({ scores: [toScores([]), toScores(values)] as const });
  const toScores = (values: number[]) => ({ n: values.length, values: Float32Array.from(values) });

  test("is linear unless over half of the scores lie outside 0.05 to 0.95", () => {
    expect(scoreAxis(scores(0.01, 0.3, 0.4, 0.6)).kind).toBe("linear");
    expect(scoreAxis(scores(0.01, 0.99, 0.3, 0.4)).kind).toBe("log-odds");
  });

  test("counts thinned scores by the points that they stand for", () => {
    const thinned = { n: 1000, values: Float32Array.of(0.01, 0.99) };
    expect(scoreAxis({ scores: [toScores(spread(100, 0.2, 0.8)), thinned] }).kind).toBe("log-odds");
  });

  test("reaches as far as nearly all scores do, and its ends stand for 0 and 1", () => {
    const near = scoreAxis(scores(0.01, 0.01, 0.99));
    expect(near.ticks).toEqual([0.01, 0.1, 0.5, 0.9, 0.99]);
    const far = scoreAxis(scores(1e-9, 1e-9, 0.99));
    expect(far.ticks[0]).toBe(0.0001);
    expect(far.toFraction(1e-9)).toBeLessThan(0);
    expect([far.fromFraction(0), far.fromFraction(0.5), far.fromFraction(1)]).toEqual([0, 0.5, 1]);
  });
});

test("ticks are round numbers", () => {
  expect(roundTicks(-3.3, 4.3)).toEqual([-3, -2, -1, 0, 1, 2, 3, 4]);
  expect(roundTicks(-0.11, 0.21)).toEqual([-0.1, -0.05, 0, 0.05, 0.1, 0.15, 0.2]);
  expect(roundTicks(-13, 11)).toEqual([-10, -5, 0, 5, 10]);
  // Between numbers that floats hardly tell apart, every tick is on the axis, and there is an end.
  const far = 2 ** 62;
  expect(roundTicks(far, far + 2 ** 30).every((tick) => tick >= far && tick <= far + 2 ** 30)).toBe(true);
  expect(roundTicks(far, far + 1024)).toEqual([far, far + 1024]);
});

test("tick texts carry a sign where values do, and no idle zeros", () => {
  expect([-10, -0.5, 0, 1, 30].map(residualTick)).toEqual(["−10", "−0.5", "0", "+1", "+30"]);
  expect([0, 0.001, 0.25, 0.5, 1].map(scoreTick)).toEqual(["0", "0.001", "0.25", "0.5", "1"]);
});

test("ticks that would run into each other are left out, the middle one last", () => {
  const axis = residualAxis([points([0]), points([-30, ...spread(98, -1, 1), 30])]);
  const texts = (pixels: number) => fittingTicks(axis, pixels, residualTick).map(({ text }) => text);
  expect(texts(500)).toEqual(["−30", "−10", "−3", "−1", "0", "+1", "+3", "+10", "+30"]);
  expect(texts(60)).toContain("0");
  expect(texts(60).length).toBeLessThan(5);
});

test("a tick at the end of the axis stands inside it, and takes its room there", () => {
  const axis = asinhAxis(-240, 40, 1, [-100, -30, 0, 30]);
  const pixels = 344;
  const ends = fittingTicks(axis, pixels, residualTick).map((tick) => {
    const width = 7 * tick.text.length;
    const left = { start: tick.x, middle: tick.x - width / 2, end: tick.x - width }[tickPlace(tick, pixels)];
    return [left, left + width];
  });
  expect(ends[0][0]).toBeGreaterThanOrEqual(0);
  ends.slice(1).forEach(([left], i) => {
    expect(left).toBeGreaterThan(ends[i][1]);
  });
  const crowded = asinhAxis(-101, 40, 1, [-100, -60, 0]);
  expect(fittingTicks(crowded, pixels, residualTick).map(({ value }) => value)).toEqual([-60, 0]);
});

test("a quantile lies between two values in proportion", () => {
  expect([0, 0.25, 0.5, 1].map((share) => quantile([1, 2, 4], share))).toEqual([1, 1.5, 2, 4]);
});
