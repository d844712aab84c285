import { expect, test } from "vitest";
import { boundsAt, hasReliability, isotonicAt, reliability } from "../../src/evaluation/calibration_band.ts";
import { decodeGroup } from "../../src/wire/decode_evaluation.ts";
import {
  counts,
  float32s,
  float64s,
  rawEvaluation,
  rawReliability,
  sampleEvaluation,
  sampleFrame,
} from "../sample.ts";

const evaluation = sampleEvaluation();
const at = (alpha: number, own: object | null = null) =>
  reliability(evaluation, { ...sampleFrame({ reliability: own }), alpha });

test("between two alphas the band is that of the lower one, and below all there is no bound", () => {
  for (const [alpha, wanted] of [
    [0.05, 0.05],
    [0.099, 0.05],
    [0.1, 0.1],
    [0.7, 0.5],
  ])
    expect(at(alpha).alpha).toBe(wanted);
  const none = at(0.0005);
  expect([[...none.lower], [...none.upper]]).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ]);
});

test("a band of the kernel's own alpha goes before one of a stop, but not above the alpha", () => {
  const own = { ...rawReliability([0.05]), isotonic: float64s([0.2, 0.4, 0.9]) };
  own.alphas = [0.07];
  expect(at(0.07, own).alpha).toBe(0.07);
  expect(isotonicAt(at(0.08, own), 0)).toBe(0.2);
  expect(at(0.06, own).alpha).toBe(0.05);
  expect(at(0.1, own).alpha).toBe(0.1);
});

test("at any score hold the lower bound of the scores below and the upper one of those above", () => {
  const { reliability: sent } = sampleEvaluation({
    reliability: {
      first: float64s([0, 1, 2]),
      last: float64s([0.5, 1, 2.5]),
      isotonic: float64s([0, 0.5, 1]),
      alphas: [0.1, 0.2],
      lower: { at: counts([1, 2, 4]), values: float32s([0.25, 0.625, 0.375]) },
      upper: { at: counts([0, 1, 5]), values: float32s([0.375, 0.875, 0.9375]) },
    },
  });
  const band = reliability({ ...evaluation, reliability: sent }, { ...sampleFrame(), alpha: 0.1 });
  expect([-1, 0, 0.3, 0.5, 0.6, 1, 1.2, 2, 2.5].map((score) => boundsAt(band, score))).toEqual([
    [0, 0.375],
    [0, 0.375],
    [0, 0.875],
    [0, 0.875],
    [0, 0.875],
    [0.25, 0.875],
    [0.25, 1],
    [0.25, 1],
    [0.625, 1],
  ]);
  expect([-1, 0, 0.9, 1, 3].map((score) => isotonicAt(band, score))).toEqual([0, 0, 0, 0.5, 1]);
  expect(band.refuted).toBe(false);
  const { lower, upper } = reliability(
    { ...evaluation, reliability: sent },
    { ...sampleFrame(), alpha: 0.2 },
  );
  expect([[...lower], [...upper]]).toEqual([
    [0, 0.375, 0.375],
    [0.9375, 0.9375, 0.9375],
  ]);
});

test("bounds that cross refute the order", () => {
  const crossed = rawReliability([0.05]);
  crossed.upper = { at: counts([2]), values: float32s([0.1]) };
  const { reliability: sent } = sampleEvaluation({ reliability: crossed });
  expect(reliability({ ...evaluation, reliability: sent }, sampleFrame()).refuted).toBe(true);
});

test("a threshold that moves shares the band, and another alpha has another", () => {
  expect(at(0.1)).toBe(at(0.1));
  expect(at(0.2)).not.toBe(at(0.1));
});

test("without any there is none", () => {
  const none = sampleEvaluation({ reliability: null });
  expect(hasReliability(none, sampleFrame())).toBe(false);
  expect(hasReliability(evaluation, sampleFrame())).toBe(true);
  expect(() => reliability(none, sampleFrame())).toThrow(TypeError);
});

test.each([
  ["scores that fall", { first: float64s([0.3, 0.1, 0.9]) }],
  ["a range that ends before it starts", { last: float64s([0.05, 0.3, 0.9]) }],
  ["too few scores", { last: float64s([0.1]) }],
  ["no scores", { first: float64s([]), last: float64s([]), isotonic: float64s([]) }],
  ["a step beyond the scores", { lower: { at: counts([15]), values: float32s([0.1]) } }],
])("%s are told", (_, changes) => {
  const found = decodeGroup(rawEvaluation({ reliability: { ...rawReliability(), ...changes } }));
  expect(found).toMatchObject({ ok: false });
});
