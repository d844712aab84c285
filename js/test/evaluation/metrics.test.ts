import { expect, test } from "vitest";
import { metricsOf, precisionRange } from "../../src/evaluation/metrics.ts";
import { float64s, sampleEvaluation, sampleFrame, WITHOUT_LIMITS, WITHOUT_LIMITS_0 } from "../sample.ts";

const evaluation = sampleEvaluation();
const frame = sampleFrame();

function rangesOf(changes: object = {}, point: object = {}) {
  const changed = sampleFrame(changes);
  const metrics = metricsOf(evaluation, changed, { ...changed.point, ...point });
  return Object.fromEntries(
    metrics.map(({ name, range, sides }) => [name, sides.map((isLimit, i) => (isLimit ? range[i] : null))]),
  );
}

test("sensitivity and specificity have their own intervals", () => {
  expect(rangesOf()).toMatchObject({ sensitivity: [0.5, 1] });
  expect(rangesOf().specificity?.[0]).toBeCloseTo(0.2);
  expect(rangesOf().specificity?.[1]).toBeCloseTo(0.8);
});

test("Youden’s J ranges over both intervals at once", () => {
  expect(rangesOf().youden?.[0]).toBeCloseTo(0.5 - 0.8);
  expect(rangesOf().youden?.[1]).toBeCloseTo(1 - 0.2);
});

test("precision ranges over all counts that both intervals allow", () => {
  const { tprLower, tprUpper, fprLower, fprUpper } = frame.point;
  const precisions: number[] = [];
  for (let tp = 4 * tprLower; tp <= 4 * tprUpper; tp++) {
    for (let fp = 5 * fprLower; fp <= 5 * fprUpper; fp++) precisions.push(tp / (tp + fp));
  }
  const range = precisionRange(evaluation.nTest, frame.point);
  expect(range?.[0]).toBeCloseTo(Math.min(...precisions), 12);
  expect(range?.[1]).toBeCloseTo(Math.max(...precisions), 12);
});

test("precision’s range leaves out where nothing is called positive", () => {
  const at = (tprLower: number, tprUpper: number, fprLower: number, fprUpper: number) =>
    precisionRange([5, 4], { ...frame.point, tprLower, tprUpper, fprLower, fprUpper });
  expect(at(0, 1, 0, 0)).toEqual([1, 1]);
  expect(at(0, 0, 0, 1)).toEqual([0, 0]);
  expect(at(0, 1, 0, 1)).toEqual([0, 1]);
  expect(at(0, 0, 0, 0)).toBeNull();
});

test("a figure of both labels has a limit where both have one", () => {
  const ranges = rangesOf(WITHOUT_LIMITS_0);
  expect(ranges.specificity).toEqual([null, null]);
  expect(ranges.sensitivity).toEqual([0.5, 1]);
  expect([ranges.precision, ranges.youden, ranges.auc]).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
});

test("one limit of a label leaves one of each figure that grows with it", () => {
  const ranges = rangesOf({ quantiles: float64s([-1, 1, -1 / 0, 1]) });
  expect(ranges.sensitivity).toEqual([null, null]);
  expect(ranges.youden).toEqual([null, expect.closeTo(0.8)]);
  expect(ranges.precision).toEqual([null, expect.closeTo(0.8)]);
  expect(rangesOf({ quantiles: float64s([-1, 1, -1 / 0, 1]) }, { tprUpper: 0.9 }).sensitivity).toEqual([
    null,
    0.9,
  ]);
});

test("two labels without limits leave nothing", () => {
  for (const range of Object.values(rangesOf(WITHOUT_LIMITS))) expect(range).toEqual([null, null]);
});

test("an undefined precision is observed as nothing", () => {
  const metrics = metricsOf(evaluation, frame, { ...frame.point, precision: null });
  expect(metrics.find(({ name }) => name === "precision")?.observed).toBeNull();
});
