// What is shown of this classifier with more test data, at the alpha that is drawn.

import type { Pair } from "../base/pair.ts";
import { areaLimits } from "../evaluation/estimate.ts";
import type { Redraws } from "../wire/decode_comparators.ts";
import type { Picture } from "./picture.ts";

/** Whether the first question is in front. */
export const isSampled = ({ view, band }: Picture) => view !== "reliability" && band === "sampling";

/** The redraws of the rows of the entry looked at, in the question of more test data; else null. */
export function redrawsOf(picture: Picture): Redraws | null {
  const { evaluation, comparators } = picture;
  const isOwn = JSON.stringify(comparators.entry) === JSON.stringify(evaluation.key);
  return isSampled(picture) && isOwn ? comparators.redraws : null;
}

/** Limits of the area of the entry looked at; null if nobody knows them. */
export const sampledArea = ({ evaluation: { auc, area }, frame: { alpha } }: Picture): Pair<number> | null =>
  area && areaLimits(auc, area, alpha);
