// Computes the differences between the populations' rates. The chosen band decides whether they are rates of this
// classifier or of the ideal models.

import { type Gaps, gapsAt, settledGapsAt } from "../evaluation/gaps.ts";
import type { Picture } from "./picture.ts";
import { isSampled } from "./sampled_area.ts";

export function gapsOf(picture: Picture): Gaps {
  const { group, frames, wanted } = picture;
  const of = isSampled(picture) ? settledGapsAt : gapsAt;
  return of(group, frames, wanted.alpha, wanted.threshold);
}
