// Limits of the area under the curve with more test data, at the alpha that is drawn.

import { nearestInRatio } from "../base/nearest.ts";
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

/**
 * Limits of the area of the entry looked at; null if only redraws tell them, and none have yet. Those of redraws are of the
 * nearest alpha that is known, as the band beside them.
 */
export function sampledArea({ evaluation, frame: { alpha }, comparators }: Picture): Pair<number> | null {
  if (evaluation.area) return areaLimits(evaluation.auc, evaluation.area, alpha);
  const { delong, entry, redraws } = comparators;
  if (JSON.stringify(entry) !== JSON.stringify(evaluation.key)) return null;
  if (delong?.alpha === alpha) return delong.range;
  const known = redraws?.figures?.limits ?? [];
  const at = known.map((each) => each.alpha);
  return known[nearestInRatio(at, alpha)]?.auc ?? null;
}
