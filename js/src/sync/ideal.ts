// The ideal model's own curve, if the reader asks for it.

import { isSameValue } from "../base/equal.ts";
import { remembered } from "../base/remembered.ts";
import { type IdealCurve, idealAt } from "../evaluation/ideal_curve.ts";
import type { Evaluation } from "../evaluation/types.ts";
import type { BandKind } from "../wire/controls.ts";
import { decodeIdeal } from "../wire/decode_ideal.ts";
import { isRecord } from "../wire/readers.ts";
import { hasKernel } from "./kernel.ts";
import type { Model } from "./model.ts";

const SAMPLING = "it is being sampled";
const ASKED = "it waits for the kernel";
const NOT_SAVED = "this page was saved without it: save one with band='ideal'";

const decoded = remembered((raw: object) => decodeIdeal(raw));
const curveAt = remembered(idealAt);

const rawOf = (model: Model) => {
  const raw = model.get("_ideal");
  return isRecord(raw) ? decoded(raw) : decodeIdeal(raw);
};

/** Whether the page has the curve of an entry, or knows why there is none. */
export function hasIdeal(model: Model, { key }: Evaluation): boolean {
  const ideal = rawOf(model);
  return ideal.ok && ideal.value !== null && isSameValue(ideal.value.entry, key);
}

/** The curve, or a text on why there is none; null if it is not asked for. While the page asks, nothing is sampled yet. */
export function idealOf(
  model: Model,
  band: BandKind,
  { key }: Evaluation,
  alpha: number,
  isAsking: boolean,
): IdealCurve | string | null {
  if (band !== "ideal") return null;
  const ideal = rawOf(model);
  if (!ideal.ok) return ideal.problem;
  if (ideal.value === null || !isSameValue(ideal.value.entry, key)) {
    if (!hasKernel(model)) return NOT_SAVED;
    // A kernel that has other things to do has not begun.
    return isAsking ? ASKED : SAMPLING;
  }
  const { found } = ideal.value;
  return typeof found === "string" ? found : curveAt(found, alpha);
}
