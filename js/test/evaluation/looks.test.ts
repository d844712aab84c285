import { expect, test } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import { areaLimits } from "../../src/evaluation/estimate.ts";
import { ofEveryLook } from "../../src/evaluation/guarantee.ts";
import { curveAtAnyLook, shareAtAnyLook } from "../../src/evaluation/looks.ts";
import { sampleEvaluation } from "../sample.ts";

const { areas, shares, curve, promise } = numbers.looks;

test("areas and shares have Python’s limits at every look, at every confidence", () => {
  for (const [value, variance, rows, alpha, ...limits] of areas)
    areaLimits(value, { variance, rows }, alpha, "any").forEach((limit, i) => {
      expect(limit, `${value} of ${rows} at ${alpha}`).toBeCloseTo(limits[i], 9);
    });
  for (const [share, rows, alpha, ...limits] of shares)
    shareAtAnyLook(share, rows, alpha).forEach((limit, i) => {
      expect(limit, `${share} of ${rows} at ${alpha}`).toBeCloseTo(limits[i], 9);
    });
});

test("a curve has Python’s band at every look, and its promise in the same words", () => {
  const [fpr, tpr] = [curve.fpr, curve.tpr].map((rates) => Float64Array.from(rates));
  const nRows = [curve.rows[0], curve.rows[1]] as const;
  const { lower, upper } = curveAtAnyLook({ ...sampleEvaluation(), fpr, tpr, nRows }, 0.1);
  [lower, upper].forEach((side, i) => {
    side.forEach((limit, at) => {
      expect(limit, `at ${at / 100}`).toBeCloseTo(curve.limits[i][at], 12);
    });
  });
  const { target, scope, guarantee } = ofEveryLook(0.1);
  expect({ target, scope, guarantee }).toEqual(promise);
});
