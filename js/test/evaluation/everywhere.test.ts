import { describe, expect, test } from "vitest";
import messages from "../../../tests/fixtures/messages.json";
import { logit } from "../../src/base/logit.ts";
import { ALPHA_STOPS } from "../../src/base/steps.ts";
import { TIE } from "../../src/base/ties.ts";
import { frameAt } from "../../src/evaluation/at_alpha.ts";
import {
  bindingRanks,
  criticalAt,
  envelopeRanks,
  mostBelow,
  promisesOf,
  withGuarantee,
} from "../../src/evaluation/everywhere.ts";
import type { Envelope, Evaluation, Frame, Group, Label, Sorted } from "../../src/evaluation/types.ts";
import { leftOver } from "../../src/evaluation/undecided.ts";
import { decodeGroup } from "../../src/wire/decode_evaluation.ts";
import { arrived } from "../arrived.ts";
import { sampleEvaluation } from "../sample.ts";

function groupOf(name: "every threshold" | "every threshold, few" | "recentred"): Group {
  const decoded = decodeGroup(arrived(messages[name].data));
  if (!decoded.ok) throw new Error(decoded.problem);
  return decoded.value;
}

const [every] = groupOf("every threshold").entries;
const frameOf = (evaluation: Evaluation, alpha: number, threshold: number) =>
  frameAt(evaluation, alpha, threshold) as Frame;

test("all ranks of a small label are bounded, of a large one 64, and their mirrors", () => {
  expect(envelopeRanks(3)).toEqual([1, 2, 3]);
  const many = envelopeRanks(1000);
  expect(many).toHaveLength(64);
  expect(many.slice(0, 2)).toEqual([8, 23]);
  expect(many.map((rank) => 1001 - rank).reverse()).toEqual(many);
});

test("an alpha between two stops takes the smaller one's envelope", () => {
  const critical = Float64Array.from(ALPHA_STOPS, (alpha) => 10 - alpha);
  expect(criticalAt({ critical }, 0.05)).toBe(10 - 0.05);
  expect(criticalAt({ critical }, 0.0509)).toBe(10 - 0.05);
  expect(criticalAt({ critical }, 0.0009)).toBe(Number.POSITIVE_INFINITY);
});

/** The limits by definition: from the best rank on each side, by counting points. */
function naiveLimits(evaluation: Evaluation, label: Label, alpha: number, threshold: number) {
  const { values } = (evaluation.centres as readonly Sorted[])[label];
  const envelope = (evaluation.envelope as readonly Envelope[])[label];
  const [n, m] = [evaluation.nCalibration[label], values.length];
  const most = mostBelow(n, m, criticalAt(envelope, alpha));
  const at = logit(threshold);
  const counted = (residual: number, tie: number) =>
    [...values].filter((value) => value + residual > at + tie).length;
  const residuals = [...envelope.residuals];
  const lower = residuals.map((residual, r) => counted(residual, TIE) - most[r]);
  const upper = residuals.map((residual, r) => counted(residual, -TIE) + most[most.length - 1 - r]);
  return [Math.max(0, ...lower) / m, Math.min(m, ...upper) / m];
}

describe.each([0.01, 0.05, 0.3])("at alpha %s", (alpha) => {
  test.each([0.02, 0.2, 0.35, 0.61, 0.93])("the limits at %s are those of the best ranks", (threshold) => {
    const { point } = frameOf(every, alpha, threshold);
    expect([point.fprLower, point.fprUpper]).toEqual(naiveLimits(every, 0, alpha, threshold));
    expect([point.tprLower, point.tprUpper]).toEqual(naiveLimits(every, 1, alpha, threshold));
  });
});

test("the ranks that bind give the limits at the threshold", () => {
  const frame = frameOf(every, 0.1, 0.35);
  const [lower, upper] = bindingRanks(every, frame, 1) ?? [];
  const envelope = (every.envelope as readonly Envelope[])[1];
  const ranks = envelopeRanks(every.nCalibration[1]);
  for (const each of [lower, upper]) {
    expect(each?.residual).toBe(envelope.residuals[ranks.indexOf(each?.rank ?? 0)]);
  }
  expect((lower?.residual ?? 0) < (upper?.residual ?? 0)).toBe(true);
  expect(bindingRanks(every, { ...frame, kind: "individual" }, 1)).toBeNull();
});

test("limits hold at every threshold together, and so the point's limits widen with the confidence", () => {
  const [wide, narrow] = [0.001, 0.5].map((alpha) => frameOf(every, alpha, 0.35).point);
  expect(wide.tprLower).toBeLessThanOrEqual(narrow.tprLower);
  expect(wide.tprUpper).toBeGreaterThanOrEqual(narrow.tprUpper);
});

test("one set of data serves both promises, there and back", () => {
  const came = groupOf("recentred");
  expect(promisesOf(came)).toEqual(["individual", "everywhere"]);
  expect(came.entries[0].words.kind).toBe("individual");
  const switched = withGuarantee(came, "everywhere");
  expect(switched).toMatchObject({ entries: [{ words: { kind: "everywhere" } }] });
  expect(withGuarantee(came, "everywhere")).toBe(switched);
  expect(withGuarantee(came, "individual")).toBe(came);
  expect(withGuarantee(came, "curve")).toBe(came);
  expect(withGuarantee(came, null)).toBe(came);
  const [pointwise, joint] = [came, switched].map(({ entries }) => frameOf(entries[0], 0.1, 0.35));
  expect(joint).toMatchObject({ kind: "everywhere", orderStatistics: null, guaranteed: [0.9, 0.9] });
  expect(joint.guarantee).toContain("at least 90 % over calibration points and test set");
  expect(joint.point.tprUpper - joint.point.tprLower).toBeGreaterThan(
    pointwise.point.tprUpper - pointwise.point.tprLower,
  );
});

test("evaluations with one promise keep it", () => {
  const group: Group = { kind: "single", entries: [sampleEvaluation()], folds: null };
  expect(promisesOf(group)).toEqual(["individual"]);
  expect(withGuarantee(group, "everywhere")).toBe(group);
});

test("candidate rates are offered where the kernel, or the page, has them", () => {
  const came = groupOf("recentred");
  const [entry] = came.entries;
  const credible = { ...entry.others[0], words: { ...entry.words, kind: "credible" as const }, frozen: null };
  const group = { ...came, entries: [{ ...entry, others: [...entry.others, credible] }] };
  expect(promisesOf(group)).toEqual(["individual", "everywhere", "credible"]);
  expect(promisesOf(group, false)).toEqual(["individual", "everywhere"]);
  const switched = withGuarantee(group, "credible");
  expect(switched.entries[0]).toMatchObject({ words: { kind: "credible" }, centres: null, frozen: null });
  expect(frameAt(switched.entries[0], 0.1, 0.35)).toBeNull();
  expect(promisesOf(switched)).toEqual(promisesOf(group));
  const sent = { ...group, entries: [{ ...entry, others: [{ ...credible, frozen: [] }] }] };
  expect(promisesOf(sent, false)).toEqual(["individual", "credible"]);
});

test("bands under both promises side by side are not switched", () => {
  const [came] = groupOf("recentred").entries;
  const [other] = withGuarantee(groupOf("recentred"), "everywhere").entries;
  const both: Group = { kind: "bands", entries: [came, other], folds: null };
  expect(promisesOf(both)).toEqual([]);
  expect(withGuarantee(both, "everywhere")).toBe(both);
});

test("without envelope the page computes nothing, least of all the other band", () => {
  expect(frameAt({ ...every, envelope: null }, 0.1, 0.35)).toBeNull();
});

test("no point has an interval to refer by", () => {
  const frame = frameOf(every, 0.1, 0.35);
  expect(leftOver(every, frame, 0.35, frame.point)).toBeNull();
});

test("too few points have no limits", () => {
  const [few] = groupOf("every threshold, few").entries;
  const frame = frameOf(few, 0.001, 0.5);
  expect(frame.local).toMatchObject({ vacuousShare: [1, 0] });
});
