// Limits of the area under the curve with more test data, at the alpha that is drawn.

import type { Pair } from "../base/pair.ts";
import { areaLimits } from "../evaluation/sampled_area.ts";
import type { Redraws } from "../wire/decode_comparators.ts";
import type { Picture } from "./picture.ts";

/** Whether the question is where this classifier would settle with more test data. */
export const isSampled = ({ view, band }: Picture) => view !== "reliability" && band === "sampling";

/** The redraws of the rows of the entry looked at, in the question of more test data; else null. */
export function redrawsOf(picture: Picture): Redraws | null {
  const { evaluation, comparators } = picture;
  const isOwn = JSON.stringify(comparators.entry) === JSON.stringify(evaluation.key);
  return isSampled(picture) && isOwn ? comparators.redraws : null;
}

/** Limits of the area of the entry looked at; null if only redraws tell them, and none have yet. */
export function sampledArea({ evaluation, frame, comparators }: Picture): Pair<number> | null {
  if (evaluation.area) return areaLimits(evaluation.auc, evaluation.area, frame.alpha);
  const { delong, entry } = comparators;
  const isOwn = JSON.stringify(entry) === JSON.stringify(evaluation.key);
  return delong && isOwn && delong.alpha === frame.alpha ? delong.range : null;
}
