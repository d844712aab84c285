// The first question's limits of both rates, which stay in sight in every question.

import type { Pair } from "../base/pair.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { settledAt, settledRate } from "../evaluation/settled.ts";
import type { Label } from "../evaluation/types.ts";
import { isBeforeLooks, looksOf } from "./looks.ts";
import type { Picture } from "./picture.ts";

/** Limits of a rate at the threshold: exact where rows count alike; null if nobody knows them. */
export function ownLimits(picture: Picture, label: Label): Pair<number> | null {
  const { evaluation, frame, wanted } = picture;
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  const settled = settledAt(evaluation, point, wanted.threshold);
  if (settled === null || isBeforeLooks(picture)) return null;
  const [lower, upper] = settledRate(settled, label, frame.alpha, looksOf(picture));
  return label === 1 ? [lower, upper] : [1 - upper, 1 - lower];
}
