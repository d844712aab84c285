// Decodes the message `_ideal`, which has the limits of the ideal model's own curve. In Python: wire/ideal.py.

import type { IdealTable } from "../evaluation/ideal_curve.ts";
import { wordsOf } from "./decode_frame.ts";
import {
  ascending,
  ascendingCounts,
  attempt,
  count,
  fieldsOf,
  float32s,
  float64s,
  isEmpty,
  json,
  level,
  malformed,
  misfit,
  text,
  versioned,
} from "./readers.ts";

/**
 * Returns the name of an evaluation, and its ideal curve or the reason why it has none. Null if nothing has been sent.
 */
export function decodeIdeal(raw: unknown) {
  return attempt(() => {
    if (isEmpty(raw)) return null;
    const fields = versioned(raw, "ideal curve");
    const field = fieldsOf(fields);
    const entry = field("label", json);
    return { entry, found: field("absence", text) || tableOf(fields, entry) };
  });
}

function tableOf(fields: Record<string, unknown>, entry: IdealTable["entry"]): IdealTable {
  const field = fieldsOf(fields);
  const n = field("n", count);
  const [fpr, alphas] = ["fpr", "alphas"].map((name) => ascending(field(name, float64s), name));
  if (n === 0 || fpr.length < 2 || alphas.length === 0) malformed("the ideal curve has no points");
  for (const alpha of alphas) level(alpha, "alphas");
  /** Reads a matrix of counts. The kernel added i * (n + 1) to row i, so that all numbers ascend. */
  const rows = (name: string, isReversed: boolean) => {
    const raised = ascendingCounts(fields[name], name, fpr.length * alphas.length, fpr.length * (n + 1));
    const counts = new Float64Array(raised.length);
    for (let row = 0; row < fpr.length; row++) {
      for (let i = 0; i < alphas.length; i++) {
        const from = row * alphas.length + (isReversed ? alphas.length - 1 - i : i);
        const found = raised[from] - row * (n + 1);
        counts[row * alphas.length + i] = found >= 0 && found <= n ? found : misfit(name, "are no counts");
      }
    }
    return counts;
  };
  const median = ascendingCounts(fields.median, "median", fpr.length, n);
  return {
    entry,
    n,
    fpr,
    alphas,
    lower: rows("lower", false),
    upper: rows("upper", true),
    median: { x: fpr, y: Float64Array.from(median, (each) => each / n) },
    auc: field("auc", intervals(alphas.length)),
    gain: field("gain", intervals(alphas.length)),
    words: field("words", wordsOf),
  };
}

/** Reads the lower limits at each alpha, then the upper limits. */
const intervals = (stops: number) => (value: unknown, name: string) => {
  const values = float32s(value, name);
  const isWhole = values.length === 2 * stops && values.subarray(stops).every((high, i) => high >= values[i]);
  return isWhole ? values : misfit(name, "is not of a lower and an upper limit an alpha");
};
