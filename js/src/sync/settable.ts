// Tells which settings the page can draw without a kernel.

import { nearestInRatio } from "../base/nearest.ts";
import { frameAt, movedTo, stopsOf } from "../evaluation/at_alpha.ts";
import { settableThreshold, vertexAt } from "../evaluation/observed_curve.ts";
import type { Evaluation, Frame, Group, Reliability } from "../evaluation/types.ts";
import type { State } from "../wire/controls.ts";
import type { Answer } from "../wire/messages.ts";

/** Returns the alphas that can be set. Null if all can. In the reliability view, only alphas with bounds can be set. */
export function settableAlphas(
  { entries }: Group,
  { alpha }: Answer,
  looked: Reliability | null,
): number[] | null {
  const bands = looked?.stops.map((stop) => stop.alpha) ?? null;
  const restricted = [...entries.map(stopsOf), bands].filter((stops) => stops !== null);
  if (restricted.length === 0) return null;
  const [first, ...others] = restricted;
  const common = first.filter((stop) => others.every((stops) => stops.includes(stop)));
  // If an entry has `curves`, the page can draw only at their alphas. It cannot draw at the alpha of the
  // kernel's last answer, whose limits may be at other vertices.
  if (common.length > 0 && entries.some(({ curves }) => curves)) return common;
  return [...new Set([...common, alpha])].sort((a, b) => a - b);
}

/** Returns the nearest setting that can be drawn. */
export function nearestSettable(
  group: Group,
  answer: Answer,
  shown: number,
  looked: Reliability | null,
  { alpha, threshold }: State,
): State {
  const stops = settableAlphas(group, answer, looked);
  if (stops === null) return { alpha, threshold };
  const stop = stops[nearestInRatio(stops, alpha)];
  const entry = group.entries[shown];
  const state = { alpha: stop, threshold };
  if (frameFor(entry, answer.frames[shown], state)) return state;
  const { thresholds } = entry;
  return { alpha: stop, threshold: settableThreshold(thresholds, vertexAt(thresholds, threshold)) };
}

/**
 * Returns the frame that the page computes for a setting. If the page cannot compute it, the frame is derived
 * from the kernel's last answer. Null if neither is possible.
 */
export function frameFor(entry: Evaluation, answered: Frame, wanted: State): Frame | null {
  const isOther = answered.kind !== entry.words.kind || answered.alpha !== wanted.alpha;
  // If the page got only some of the numbers, its own results are slightly off. So the kernel's answer is
  // used.
  if (!entry.whole && !entry.curves && !isOther && isSameState(answered, wanted)) return answered;
  const computed = frameAt(entry, wanted.alpha, wanted.threshold);
  // `reliability` is the set of bounds of P(y = 1 | score). Until the kernel answers, the bounds of its last
  // answer are used. Their alpha is nearer than the alphas of the bounds that were sent in advance.
  if (computed) return { ...computed, reliability: answered.reliability };
  if (entry.curves || isOther) return computed;
  return isSameState(answered, wanted) ? answered : movedTo(entry, answered, wanted.threshold);
}

export const isSameState = (one: State, other: State) =>
  one.alpha === other.alpha && one.threshold === other.threshold;
