// The ideal model's own curve, where it is asked for.

import { isSameValue } from "../base/equal.ts";
import { type IdealCurve, idealAt } from "../evaluation/ideal_curve.ts";
import type { Evaluation } from "../evaluation/types.ts";
import { decodeIdeal, type Ideal } from "../wire/decode_ideal.ts";
import type { BandKind } from "../wire/messages.ts";
import type { Result } from "../wire/readers.ts";
import { hasKernel } from "./kernel.ts";
import type { Model } from "./view_model.ts";

const SAMPLING = "it is being sampled";
const NOT_SAVED = "this page was saved without it: save one with band='ideal'";

const decoded = new WeakMap<object, Result<Ideal | null>>();
const curves = new WeakMap<object, IdealCurve>();

function read(raw: unknown): Result<Ideal | null> {
  if (typeof raw !== "object" || raw === null) return decodeIdeal(raw);
  const known = decoded.get(raw) ?? decodeIdeal(raw);
  decoded.set(raw, known);
  return known;
}

/** Null where it is not asked for; a text says why there is none. */
export function idealOf(
  model: Model,
  band: BandKind,
  { key }: Evaluation,
  alpha: number,
): IdealCurve | string | null {
  if (band !== "ideal") return null;
  const ideal = read(model.get("_ideal"));
  if (!ideal.ok) return ideal.problem;
  if (ideal.value === null || !isSameValue(ideal.value.entry, key)) {
    return hasKernel(model) ? SAMPLING : NOT_SAVED;
  }
  const { found } = ideal.value;
  if (typeof found === "string") return found;
  const known = curves.get(found);
  if (known?.alpha === alpha) return known;
  const curve = idealAt(found, alpha);
  curves.set(found, curve);
  return curve;
}
