// What Python says about its own messages (tests/test_fixtures.py), against what the page reads in them.

import { expect, test } from "vitest";
import messages from "../../tests/fixtures/messages.json";
import {
  hasLimits,
  observedCurve,
  operatingPointAt,
  outline,
  sensitivityEdges,
  specificityEdges,
} from "../src/band.ts";
import { decodeEvaluation, decodeFrame } from "../src/wire.ts";

type Points = number[][];

const numbers = (values: (number | string)[]) => values.map(Number);

/** A message as it arrives: bytes as views, which need not start at an even address. */
function arrived(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(arrived);
  const fields = value as Record<string, unknown>;
  if (typeof fields.base64 !== "string")
    return Object.fromEntries(Object.entries(fields).map(([name, item]) => [name, arrived(item)]));
  const bytes = Uint8Array.from(`?${atob(fields.base64)}`, (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer, 1);
}

const pointsOf = ({ x, y }: { x: Float64Array; y: Float64Array }): Points =>
  Array.from(x, (value, i) => [value, y[i]]);

test.each(Object.entries(messages))("%s: the page reads the kernel’s very numbers", (_, kept) => {
  const data = decodeEvaluation(arrived(kept.data));
  if (!data.ok) throw new Error(data.problem);
  const evaluation = data.value;
  const answer = decodeFrame(arrived(kept.frame), evaluation);
  if (!answer.ok) throw new Error(answer.problem);
  const frame = answer.value;
  const [n0, n1] = evaluation.nTest;
  const { limits } = frame;

  expect([...evaluation.thresholds]).toEqual(numbers(kept.thresholds));
  const curve = observedCurve(evaluation);
  expect([...curve.x]).toEqual(kept.fpr);
  expect([...curve.y]).toEqual(kept.tpr);
  expect(Array.from(limits.fprLower, (count) => count / n0)).toEqual(kept.fpr_lower);
  expect(Array.from(limits.fprUpper, (count) => count / n0)).toEqual(kept.fpr_upper);
  expect(Array.from(limits.tprLower, (count) => count / n1)).toEqual(kept.tpr_lower);
  expect(Array.from(limits.tprUpper, (count) => count / n1)).toEqual(kept.tpr_upper);

  const pairs = frame.orderStatistics?.map((pair) => pair.map(({ residual }) => residual)) ?? null;
  expect(pairs).toEqual(kept.quantiles?.map(numbers) ?? null);
  for (const label of [0, 1] as const) {
    const isVacuous = kept.quantiles !== null && !numbers(kept.quantiles[label]).some(Number.isFinite);
    expect(hasLimits(frame, label)).toBe(!isVacuous);
  }

  const { tp, fp, tn, fn, ...rates } = operatingPointAt(evaluation, frame, frame.threshold);
  const { point } = kept;
  expect({ tp, fp, tn, fn }).toEqual({ tp: point.tp, fp: point.fp, tn: point.tn, fn: point.fn });
  expect(rates).toEqual({
    tpr: point.tpr,
    tprLower: point.tpr_lower,
    tprUpper: point.tpr_upper,
    fpr: point.fpr,
    fprLower: point.fpr_lower,
    fprUpper: point.fpr_upper,
  });

  for (const [edges, expected] of [
    [sensitivityEdges(evaluation, frame, curve), kept.sensitivity],
    [specificityEdges(evaluation, frame, curve), kept.specificity],
  ] as const) {
    expect(pointsOf(edges.upper)).toEqual(expected.upper);
    expect(pointsOf(edges.lower)).toEqual(expected.lower);
    expect(pointsOf(outline(edges))).toEqual([...expected.upper, ...expected.lower.toReversed()]);
  }
});

test("without its answer the page finds the kernel’s point, where the threshold is a score", () => {
  const kept = messages["limits everywhere"];
  const data = decodeEvaluation(arrived(kept.data));
  if (!data.ok) throw new Error(data.problem);
  const frame = decodeFrame(arrived(kept.frame), data.value);
  if (!frame.ok) throw new Error(frame.problem);
  for (const [i, threshold] of numbers(kept.thresholds).entries()) {
    const { tpr, tprLower, tprUpper, fpr, fprLower, fprUpper } = operatingPointAt(
      data.value,
      frame.value,
      threshold,
    );
    expect([tpr, tprLower, tprUpper]).toEqual([kept.tpr[i], kept.tpr_lower[i], kept.tpr_upper[i]]);
    expect([fpr, fprLower, fprUpper]).toEqual([kept.fpr[i], kept.fpr_lower[i], kept.fpr_upper[i]]);
  }
});
