import { expect, test } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import { mostPromised, populationThreshold, rowsOf } from "../../src/evaluation/population_threshold.ts";
import type { GoalRate } from "../../src/evaluation/types.ts";

interface Rows {
  y: number[];
  score: number[];
  any_size: boolean;
}
interface Kept {
  rate: string;
  least: number;
  alpha: number;
  threshold: number | null;
  most: number;
}

function curveOf({ y, score, any_size }: Rows) {
  const thresholds = [Number.POSITIVE_INFINITY, ...[...new Set(score)].sort((a, b) => b - a)];
  const count = (label: number) => (at: number) =>
    score.filter((each, i) => y[i] === label && each >= at).length;
  return {
    thresholds: Float64Array.from(thresholds),
    truePositives: Float64Array.from(thresholds, count(1)),
    falsePositives: Float64Array.from(thresholds, count(0)),
    nTest: [y.filter((label) => label === 0).length, y.filter((label) => label === 1).length] as const,
    anySize: any_size,
  };
}

const WISHES = numbers.population.flatMap(({ wishes, ...rows }) =>
  wishes.map((wish) => ({ rows, n: rows.y.length, ...(wish as Kept) })),
);

test.each(WISHES)("$rate of $least at $alpha, $n rows: kept where Python keeps it", ({ rows, ...kept }) => {
  const curve = curveOf(rows);
  const rate = kept.rate as GoalRate;
  const found = populationThreshold(curve, { rate, least: kept.least }, kept.alpha);
  expect(found?.threshold ?? null).toBe(kept.threshold);
  expect(mostPromised(curve, rate, kept.alpha)).toBeCloseTo(kept.most, 7);
});

test("forty positives promise a sensitivity of 0.93 at most", () => {
  const score = Array.from({ length: 50 }, (_, i) => i / 50);
  const y = score.map((each) => (each < 0.2 ? 0 : 1));
  const curve = curveOf({ y, score, any_size: false });
  expect(mostPromised(curve, "sensitivity", 0.05)).toBeCloseTo(0.05 ** (1 / 40), 9);
  expect(rowsOf("sensitivity", [10, 40])).toEqual({ n: 40, rows: "positives" });
  expect(populationThreshold(curve, { rate: "sensitivity", least: 0.95 }, 0.05)).toBeNull();
});

test("a million rows are counted", () => {
  const n = 1e6;
  const curve = {
    thresholds: Float64Array.of(Number.POSITIVE_INFINITY, 0.9, 0.5, 0.1),
    truePositives: Float64Array.of(0, 0.5 * n, 0.901 * n, n),
    falsePositives: Float64Array.of(0, 0.05 * n, 0.099 * n, n),
    nTest: [n, n] as const,
    anySize: false,
  };
  for (const rate of ["sensitivity", "specificity"] as const)
    expect(populationThreshold(curve, { rate, least: 0.9 }, 0.05)?.threshold).toBe(0.5);
});
