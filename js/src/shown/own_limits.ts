// Computes confidence limits of this classifier's sensitivity and specificity in the population. They are the same
// whichever band is shown.

import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { settledAt, settledRate } from "../evaluation/settled.ts";
import type { Label } from "../evaluation/types.ts";
import { isBeforeLooks, looksOf } from "./looks.ts";
import type { Picture } from "./picture.ts";

/**
 * Returns the limits of the sensitivity (label 1) or of the specificity (label 0) at the threshold. If rows have
 * neither weights nor groups, they are exact. Null if they are unknown. They are cached, because many components show
 * them.
 */
export const ownLimits = (picture: Picture, label: Label): Pair<number> | null => limitsOf(picture)[label];

const limitsOf = remembered((picture: Picture): Pair<Pair<number> | null> => {
  const { evaluation, frame, wanted } = picture;
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  const settled = settledAt(evaluation, point, wanted.threshold);
  if (settled === null || isBeforeLooks(picture)) return [null, null];
  const [alarms, sensitivity] = ([0, 1] as const).map((label) =>
    settledRate(settled, label, frame.alpha, looksOf(picture)),
  );
  return [[1 - alarms[1], 1 - alarms[0]], sensitivity];
});
