// Texts about the ideal model's own curve.

import { withConfidence } from "../evaluation/guarantee.ts";
import type { IdealCurve } from "../evaluation/ideal_curve.ts";
import type { Words } from "../evaluation/types.ts";

export function idealWords({ table, alpha }: IdealCurve): Words {
  const { target, scope, guarantee } = table.words;
  return { target, scope, guarantee: withConfidence(guarantee, alpha) };
}
