// Reads the ROC curve of the ideal model, which the kernel or the file sends if the user chooses the band "ideal".

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

/** Whether the page has an evaluation's ideal curve, or the reason why there is none. */
export function hasIdeal(model: Model, { key }: Evaluation): boolean {
  const ideal = rawOf(model);
  return ideal.ok && ideal.value !== null && isSameValue(ideal.value.entry, key);
}

/**
 * Returns the ideal model's curve at an alpha, or a text that says why there is none. Null if another band is chosen.
 * `isAsking` tells that the kernel has not answered the last request yet.
 */
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
    // If the kernel has not answered the last request (`isAsking`), it is busy with other work. Then it has
    // not begun to sample the curve.
    return isAsking ? ASKED : SAMPLING;
  }
  const { found } = ideal.value;
  return typeof found === "string" ? found : curveAt(found, alpha);
}
