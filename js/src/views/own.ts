// Draws confidence limits of this classifier in the population on a ROC plot: for the band "sampling", and beside the
// limits of the true risks.

import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import type { Area, Mark } from "../scene.ts";
import type { DrawnComparator } from "../shown/comparators.ts";
import { goalAtThreshold } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import { ownLimits } from "../shown/own_limits.ts";
import type { Picture } from "../shown/picture.ts";
import { area, arm, SAMPLING_ARMS, SAMPLING_EDGES, UNIT } from "./parts.ts";

/** Returns the band of a comparator as an area. */
export const ownArea = (
  id: string,
  key: string,
  { item: { fpr: x }, lines: { lower, upper } }: DrawnComparator,
): Area => area(id, key, { x, y: lower, step: "" }, { x, y: upper, step: "" }, SAMPLING_EDGES);

/**
 * Returns error bars at the operating point with the confidence limits of this classifier's rates. If a
 * goal's one-sided limit is shown, the goal's rate has only this limit. If the threshold was found for the
 * goal, the other rate has no limits.
 */
export function ownCross(picture: Picture, name: "arm" | "own"): Mark[] {
  const { evaluation, frame } = picture;
  const { fpr, tpr } = frame.point;
  const goal = goalAtThreshold(picture);
  const [specificity, sensitivity] = ([0, 1] as const).map((label): Pair<number> | null => {
    if (goal?.label === label) return [goal.least, 2];
    return goal?.isOn ? null : ownLimits(picture, label);
  });
  const upright = sensitivity ? arm(`${name}-1`, sensitivity, fpr, SAMPLING_ARMS) : [];
  if (specificity === null) return upright;
  const alarms: Pair<number> = [1 - specificity[1], 1 - specificity[0]];
  const [level, ...caps] = arm(`${name}-0`, alarms, tpr, SAMPLING_ARMS, UNIT, true);
  const key = evaluation.weighted ? "" : words(isAnyLook(picture) ? "key.rates_looks" : "key.rates_exact");
  return [{ ...level, key }, ...caps, ...upright];
}
