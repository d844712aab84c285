// What is shown of this classifier with more test data, at the alpha that is drawn.

import type { Pair } from "../base/pair.ts";
import { areaLimits } from "../evaluation/estimate.ts";
import { isBeforeLooks, looksOf } from "./looks.ts";
import type { Picture } from "./picture.ts";

/** Whether the first question is in front. */
export const isSampled = ({ view, band }: Picture) => view !== "reliability" && band === "sampling";

/** Limits of the area of the entry looked at; null if nobody knows them. */
export function sampledArea(picture: Picture): Pair<number> | null {
  const { auc, area } = picture.evaluation;
  return isBeforeLooks(picture) ? null : area && areaLimits(auc, area, picture.frame.alpha, looksOf(picture));
}
