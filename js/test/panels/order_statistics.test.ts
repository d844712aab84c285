import { describe, expect, test } from "vitest";
import { linearAxis } from "../../src/base/scale.ts";
import { ALPHA_STOPS } from "../../src/base/steps.ts";
import type { Evaluation } from "../../src/evaluation/types.ts";
import { axisPoints, createPull, knownStatistics, type Side } from "../../src/panels/order_statistics.ts";
import { float64s, LOCALIZED, sampleEvaluation } from "../sample.ts";

const AXIS = linearAxis(-4, 4, [0]);

function residualsOf(n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => 6 * ((i + 0.5) / n - 0.5));
}

function pullOf(n: number, side: Side) {
  const evaluation = {
    ...sampleEvaluation(),
    residuals: [0, 1].map(() => ({ n, values: residualsOf(n), stops: null })),
  } as unknown as Evaluation;
  const known = knownStatistics(evaluation, 1, side);
  if (known === null) throw new Error("no statistics");
  return { known, pull: createPull(known, AXIS, side) };
}

const FRACTIONS = Array.from({ length: 1201 }, (_, i) => -0.1 + i / 1000);

describe.each([12, 40, 333, 5000])("pulling a handle among %i residuals", (n) => {
  test.each([0, 1] as const)("moves alpha one way only, and reaches every stop (side %i)", (side) => {
    const { pull } = pullOf(n, side);
    const alphas = FRACTIONS.map(pull.alphaAt);
    const sign = side === 0 ? 1 : -1;
    expect(alphas.every((alpha, i) => i === 0 || sign * (alpha - alphas[i - 1]) >= 0)).toBe(true);
    expect(Math.min(...alphas)).toBe(0.001);
    expect(Math.max(...alphas)).toBe(0.5);
    for (const alpha of ALPHA_STOPS) expect(pull.alphaAt(pull.placeOf(alpha))).toBe(alpha);
  });

  test.each([0, 1] as const)("lands on the order statistic next to the pointer (side %i)", (side) => {
    const { pull, known } = pullOf(n, side);
    const places = Array.from(known.residuals, (residual) =>
      Math.min(1, Math.max(0, AXIS.toFraction(residual))),
    );
    for (const fraction of FRACTIONS) {
      const chosen = places[known.stops.indexOf(pull.alphaAt(fraction))];
      const nearest = Math.min(...places.map((place) => Math.abs(place - fraction)));
      expect(Math.abs(chosen - fraction)).toBeCloseTo(nearest, 9);
    }
  });

  test.each([0, 1] as const)("by keys goes to the next residual in that direction (side %i)", (side) => {
    const { pull, known } = pullOf(n, side);
    const residualAt = (alpha: number) => known.residuals[known.stops.indexOf(alpha)];
    let alpha = side === 0 ? 0.001 : 0.5;
    for (let i = 0; i < 300; i++) {
      const next = pull.next(alpha, 1);
      if (next === alpha) break;
      expect(residualAt(next)).toBeGreaterThan(residualAt(alpha));
      alpha = next;
    }
    expect(pull.next(alpha, 1)).toBe(alpha);
    expect(residualAt(alpha)).toBe(Math.max(...known.residuals));
  });
});

test("an alpha between the stops has the place of the nearest one", () => {
  const { pull } = pullOf(333, 0);
  expect(pull.placeOf(0.0502)).toBe(pull.placeOf(0.05));
});

test("one stop alone takes the whole axis", () => {
  const pull = createPull({ stops: [0.1], residuals: Float64Array.of(-1) }, AXIS, 0);
  expect([0, 0.5, 1].map(pull.alphaAt)).toEqual([0.1, 0.1, 0.1]);
  expect(pull.next(0.1, 1)).toBe(0.1);
});

test("thinned residuals bring their order statistics along", () => {
  const stops = Float64Array.from({ length: 360 }, (_, i) => i);
  const residuals = [0, 1].map(() => ({ n: 9999, values: residualsOf(9), stops }));
  const evaluation = { ...sampleEvaluation(), residuals } as unknown as Evaluation;
  expect(knownStatistics(evaluation, 0, 0)?.residuals.slice(0, 2)).toEqual(Float64Array.of(0, 2));
  expect(knownStatistics(evaluation, 0, 1)?.residuals.slice(0, 2)).toEqual(Float64Array.of(1, 3));
});

test("without residuals the page knows what was computed ahead", () => {
  const statistics = (residual: number) => [1, 2].map((rank) => ({ rank, residual: rank * residual }));
  const curve = (alpha: number, residual: number) => ({
    alpha,
    statement: { orderStatistics: [statistics(residual), statistics(residual)] },
  });
  const evaluation = {
    ...sampleEvaluation(),
    residuals: [0, 1].map(() => ({ n: 99, values: new Float64Array(), stops: null })),
    curves: [curve(0.05, -2), curve(0.1, -1)],
  } as unknown as Evaluation;
  expect(knownStatistics(evaluation, 0, 0)).toEqual({
    stops: [0.05, 0.1],
    residuals: Float64Array.of(-2, -1),
  });
  expect(axisPoints(evaluation)[1].values).toEqual([-4, -2, -2, -1]);
});

test("of thinned residuals whose points have order statistics of their own nothing is known", () => {
  const residuals = [99, 199].map((n) => ({ n, values: float64s([-1, 0, 1]), stops: null }));
  const evaluation = sampleEvaluation({ ...LOCALIZED, residuals, whole: false });
  expect(knownStatistics(evaluation, 0, 0)).toBeNull();
});
