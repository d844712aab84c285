// Computes confidence limits of this classifier's sensitivity and specificity in the population. They are the same
// whichever band is shown.

import type { Pair } from "../base/pair.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { settledAt, settledRate } from "../evaluation/settled.ts";
import type { Label } from "../evaluation/types.ts";
import { isBeforeLooks, looksOf } from "./looks.ts";
import type { Picture } from "./picture.ts";

/**
 * Returns the limits of the sensitivity (label 1) or of the specificity (label 0) at the threshold. If rows have
 * neither weights nor groups, they are exact. Null if they are unknown.
 */
export function ownLimits(picture: Picture, label: Label): Pair<number> | null {
  const { evaluation, frame, wanted } = picture;
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  const settled = settledAt(evaluation, point, wanted.threshold);
  if (settled === null || isBeforeLooks(picture)) return null;
  const [lower, upper] = settledRate(settled, label, frame.alpha, looksOf(picture));
  return label === 1 ? [lower, upper] : [1 - upper, 1 - lower];
}
