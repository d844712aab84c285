// Returns the confidence limits, in the population, of this classifier's area.

import type { Pair } from "../base/pair.ts";
import { areaLimits } from "../evaluation/estimate.ts";
import { isBeforeLooks, looksOf } from "./looks.ts";
import type { Picture } from "./picture.ts";

/** Whether the chosen band is "sampling": confidence limits of this classifier in the population. */
export const isSampled = ({ view, band }: Picture) => view !== "reliability" && band === "sampling";

/** Returns the confidence limits of the selected evaluation's area. Null if they are unknown. */
export function sampledArea(picture: Picture): Pair<number> | null {
  const { auc, area } = picture.evaluation;
  return isBeforeLooks(picture) ? null : area && areaLimits(auc, area, picture.frame.alpha, looksOf(picture));
}
