import { expect, test } from "vitest";
import {
  netBenefit,
  netBenefitAt,
  netBenefitOf,
  oddsOf,
  riskOf,
  treatAll,
} from "../../src/evaluation/net_benefit.ts";
import { SCORES, sampleEvaluation, sampleFrame, THRESHOLDS } from "../sample.ts";

const evaluation = sampleEvaluation();
const { limits, point } = sampleFrame();

test("at the test set’s own share of positives it counts: right calls less weighed false alarms, per case", () => {
  const { line, first } = netBenefit(evaluation, limits, 4 / 9);
  expect(first).toBe(1);
  expect([...line.x]).toEqual(THRESHOLDS.slice(1));
  THRESHOLDS.slice(1).forEach((threshold, i) => {
    const [fp, tp] = SCORES.map((scores) => scores.filter((score) => score >= threshold).length);
    expect(line.y[i]).toBeCloseTo(tp / 9 - ((fp / 9) * threshold) / (1 - threshold), 14);
  });
});

test("its limits are those of the rates: more right calls with fewer false alarms are better", () => {
  const { line, lower, upper } = netBenefit(evaluation, limits, 0.2);
  line.x.forEach((risk, i) => {
    const at = (tpr: number, fpr: number) => 0.2 * tpr - (0.8 * fpr * risk) / (1 - risk);
    expect(lower[i]).toBeCloseTo(at(limits.tprLower[i + 1], limits.fprUpper[i + 1]), 14);
    expect(upper[i]).toBeCloseTo(at(limits.tprUpper[i + 1], limits.fprLower[i + 1]), 14);
    expect(lower[i]).toBeLessThanOrEqual(upper[i]);
  });
  expect(netBenefitOf(point, 0.5, 4 / 9)).toEqual({
    netBenefit: netBenefitAt(0.75, 0.4, 0.5, 4 / 9),
    lower: netBenefitAt(0.5, 0.8, 0.5, 4 / 9),
    upper: netBenefitAt(1, 0.2, 0.5, 4 / 9),
  });
});

test("where another share is positive, a cut of the score is another risk", () => {
  expect(riskOf(0.3, 0.4, 0.4)).toBe(0.3);
  // Odds of the score, times the odds of a positive where the classifier is used, divided by the odds in the test set.
  const odds = ((0.3 / 0.7) * (0.1 / 0.9)) / (0.4 / 0.6);
  expect(riskOf(0.3, 0.4, 0.1)).toBeCloseTo(odds / (1 + odds), 14);
  expect(riskOf(0, 0.4, 0.1)).toBe(0);
});

test("calling all has no net benefit at a risk as large as the share of positives, and none at no risk costs", () => {
  expect(treatAll(1 / 3, 0.25)).toBeCloseTo(0, 15);
  expect(treatAll(0, 0.25)).toBe(0.25);
  expect(treatAll(1, 0.25)).toBeCloseTo(0.25 - 0.75, 15);
});

test("a curve without a threshold below 1 has no entries", () => {
  const above = { ...evaluation, thresholds: Float64Array.of(Number.POSITIVE_INFINITY, 1) };
  expect(netBenefit(above, { ...limits }, 0.2).line.x).toHaveLength(0);
});

test("limits that were seen last give the same curve without computing", () => {
  const curve = netBenefit(evaluation, limits, 0.2);
  expect(netBenefit(evaluation, limits, 0.2)).toBe(curve);
  expect(netBenefit(evaluation, limits, 0.3)).not.toBe(curve);
});

test("a cut is moved by the difference of the log-odds of both shares", () => {
  expect(riskOf(0.42, 0.3, 0.12)).toBeCloseTo(0.19, 2);
  const odds = ((0.42 / 0.58) * (0.12 / 0.88)) / (0.3 / 0.7);
  expect(riskOf(0.42, 0.3, 0.12)).toBeCloseTo(odds / (1 + odds), 14);
});

test("odds are those of the risk, and finite where a risk rounds to 1", () => {
  const risk = riskOf(0.3, 0.4, 0.1);
  expect(oddsOf(0.3, 0.4, 0.1)).toBeCloseTo(risk / (1 - risk), 14);
  expect(oddsOf(0.25, 0.4, 0.4)).toBe(1 / 3);
  const prevalence = 1 - 2 ** -53;
  expect(riskOf(0.99, 0.5, prevalence)).toBe(1);
  // By hand: a false positive rate of 1 loses (1 - p) odds = 99 p.
  expect(treatAll(oddsOf(0.99, 0.5, prevalence), prevalence)).toBeCloseTo(1 - 99, 10);
});
