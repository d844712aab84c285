// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { expit } from "../../src/base/logit.ts";
import { alphaScale, asinhAxis, linear, linearAxis, logOddsAxis } from "../../src/base/scale.ts";
import {
  ALPHA_STOPS,
  alphaSteps,
  logOddsSteps,
  nextMultiple,
  nextStop,
  snap,
  stopSteps,
  thresholdSteps,
} from "../../src/base/steps.ts";
import { markSide } from "../../src/panels/slider.ts";
import { tickPlace } from "../../src/panels/strip_axis.ts";

test("scales go there and back", () => {
  expect(linear(0, 2).toFraction(0.5)).toBe(0.25);
  expect(alphaScale.toFraction(0.001)).toBe(0);
  expect(alphaScale.toFraction(0.5)).toBe(1);
  for (const alpha of [0.001, 0.02, 0.3]) {
    expect(alphaScale.fromFraction(alphaScale.toFraction(alpha))).toBeCloseTo(alpha, 12);
  }
});

test("equal ratios of alpha are equal lengths of its track", () => {
  const length = (from: number, to: number) => alphaScale.toFraction(to) - alphaScale.toFraction(from);
  expect(length(0.01, 0.1)).toBeCloseTo(length(0.001, 0.01), 12);
});

test("snapped values are the floats that their decimals stand for", () => {
  expect(snap(0.049999, 0.001)).toBe(0.05);
  expect(snap(0.30000000000000004, 0.01)).toBe(0.3);
  for (let k = 1; k <= 500; k++) expect(snap(k / 1000 + 1e-7, 0.001)).toBe(Number((k / 1000).toFixed(3)));
});

test("the next multiple is one step on, or the first on the way", () => {
  expect(nextMultiple(0.42, 0.01, 1)).toBe(0.43);
  expect(nextMultiple(0.4217, 0.01, 1)).toBe(0.43);
  expect(nextMultiple(0.4217, 0.01, -1)).toBe(0.42);
  expect(nextMultiple(0.42, 0.01, -1)).toBe(0.41);
});

describe("the keys of the alpha slider", () => {
  test("go through 0.05 from either side", () => {
    expect(alphaSteps.arrow(0.045, 1)).toBe(0.05);
    expect(alphaSteps.arrow(0.055, -1)).toBe(0.05);
  });

  test("take the same stops up and down", () => {
    const up = [0.001];
    while (up[up.length - 1] < 0.5) up.push(alphaSteps.arrow(up[up.length - 1], 1));
    const down = [0.5];
    while (down[down.length - 1] > 0.001) down.push(alphaSteps.arrow(down[down.length - 1], -1));
    expect(down.reverse()).toEqual(up);
  });

  test("page through 1, 2, 5", () => {
    expect(alphaSteps.page(0.05, 1)).toBe(0.1);
    expect(alphaSteps.page(0.05, -1)).toBe(0.02);
    expect(alphaSteps.page(0.5, 1)).toBe(0.5);
    expect(alphaSteps.page(0.001, -1)).toBe(0.001);
  });

  test("and its drags give clean decimals", () => {
    expect(alphaSteps.grid(0.0501234)).toBe(0.05);
    expect(alphaSteps.grid(0.20123)).toBe(0.2);
  });
});

test("the threshold moves by hundredths, pages by tenths", () => {
  expect(thresholdSteps.arrow(0.5, 1)).toBe(0.51);
  expect(thresholdSteps.page(0.42, 1)).toBe(0.5);
  expect(thresholdSteps.page(0.42, -1)).toBe(0.4);
  expect(thresholdSteps.grid(0.123456)).toBe(0.123);
});

test("the stops of the wire are the grid of the alpha slider", () => {
  expect(ALPHA_STOPS.map(alphaSteps.grid)).toEqual(ALPHA_STOPS);
  for (let k = 0; k <= 1000; k++) {
    expect(ALPHA_STOPS).toContain(alphaSteps.grid(alphaScale.fromFraction(k / 1000)));
  }
});

test("an asinh axis is even near zero and logarithmic far from it", () => {
  const axis = asinhAxis(-100, 100, 1, []);
  const length = (from: number, to: number) => axis.toFraction(to) - axis.toFraction(from);
  expect(axis.toFraction(0)).toBeCloseTo(0.5, 12);
  expect(length(0, 0.1)).toBeCloseTo(length(0.1, 0.2), 3);
  expect(length(10, 20)).toBeCloseTo(length(40, 80), 2);
});

test("an axis knows its middle", () => {
  expect([linearAxis(-1, 3, []).center, linearAxis(0, 1, []).center]).toEqual([0, 0.5]);
  expect(expit(-800) + expit(800)).toBe(1);
});

describe("a log-odds track", () => {
  const axis = logOddsAxis(7.6, []);

  test("ends at 0 and 1, which lie beyond its reach", () => {
    expect([0, 1].map(axis.fromFraction)).toEqual([0, 1]);
    expect([0, 1].map(axis.toFraction)).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect(axis.fromFraction(axis.toFraction(0.003))).toBeCloseTo(0.003, 12);
  });

  test("is dragged over clean decimals, finer in the tails", () => {
    expect([0.123456, 0.0123456, 0.99123456, 0, 1].map(logOddsSteps.grid)).toEqual([
      0.123, 0.0123, 0.99123, 0, 1,
    ]);
  });

  test("is stepped through by a decimal more for each factor of ten", () => {
    expect([0.5, 0.09, 0.9, 0.991, 0.05].map((value) => logOddsSteps.arrow(value, 1))).toEqual([
      0.51, 0.091, 0.901, 0.9911, 0.051,
    ]);
    expect([0.5, 0.1, 0.01, 0.0001, 0].map((value) => logOddsSteps.arrow(value, -1))).toEqual([
      0.49, 0.099, 0.0099, 0, 0,
    ]);
    expect(logOddsSteps.page(0.5, 1)).toBe(0.6);
    expect(logOddsSteps.page(0.99, 1)).toBe(0.999);
  });

  test("is stepped through from end to end and back", () => {
    const walk = (from: number, sign: 1 | -1) => {
      const stops = [from];
      for (let i = 0; i < 2000; i++) {
        const next = logOddsSteps.arrow(stops[stops.length - 1], sign);
        if (next === stops[stops.length - 1]) return stops;
        stops.push(next);
      }
      throw new Error("no end");
    };
    const up = walk(0, 1);
    expect(up[up.length - 1]).toBe(1);
    expect(walk(1, -1).reverse()).toEqual(up);
  });
});

test("where only some values can be shown, those are set", () => {
  const steps = stopSteps([0.01, 0.05, 0.1, 0.5]);
  expect([0.02, 0.03, 0.06, 0.4].map(steps.grid)).toEqual([0.01, 0.05, 0.05, 0.5]);
  expect([steps.arrow(0.05, 1), steps.arrow(0.05, -1), steps.page(0.05, 1)]).toEqual([0.1, 0.01, 0.5]);
  expect([nextStop([1, 2], 2, 1), nextStop([1, 2], 1, -1)]).toEqual([2, 1]);
});

test("the text of a mark flips away from the thumb and from the end of the track, and is always there", () => {
  expect(markSide(100, 250, 60, 344)).toBe("right");
  expect(markSide(100, 130, 60, 344)).toBe("left");
  expect(markSide(300, 20, 60, 344)).toBe("left");
  expect(markSide(50, 80, 60, 344)).toBe("right");
  expect(markSide(30, 80, 180, 196)).toBe("none");
  expect(markSide(330, 300, 60, 344)).toBe("left");
});

test("ticks at the ends stay within the track", () => {
  const places = [0, 100, 344].map((x) => tickPlace({ value: 0, text: "0.5", x }, 344));
  expect(places).toEqual(["start", "middle", "end"]);
});
