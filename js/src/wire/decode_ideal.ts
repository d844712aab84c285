// Message `_ideal`; its twin is wire/ideal.py.

import type { IdealTable } from "../evaluation/ideal_curve.ts";
import {
  ascending,
  ascendingCounts,
  attempt,
  count,
  float32s,
  float64s,
  isRecord,
  json,
  level,
  malformed,
  type Result,
  record,
  text,
  versioned,
} from "./readers.ts";

export interface Ideal {
  /** The entry that is spoken of. */
  entry: IdealTable["entry"];
  /** Why it has no such curve, or the curve. */
  found: string | IdealTable;
}

/** Null where nothing has been sent. */
export function decodeIdeal(raw: unknown): Result<Ideal | null> {
  return attempt(() => {
    if (raw === null || raw === undefined || (isRecord(raw) && Object.keys(raw).length === 0)) return null;
    const fields = versioned(raw, "ideal curve");
    const entry = json(fields.label, "label");
    const absence = text(fields.absence, "absence");
    return { entry, found: absence || tableOf(fields, entry) };
  });
}

function tableOf(fields: Record<string, unknown>, entry: IdealTable["entry"]): IdealTable {
  const n = count(fields.n, "n");
  const fpr = ascending(float64s(fields.fpr, "fpr"), "fpr");
  const alphas = ascending(float64s(fields.alphas, "alphas"), "alphas");
  if (n === 0 || fpr.length < 2 || alphas.length === 0) malformed("the ideal curve has no points");
  for (const alpha of alphas) level(alpha, "alphas");
  /** Rows are raised one above the other, so that all of them ascend. */
  const rows = (name: string, isReversed: boolean) => {
    const raised = ascendingCounts(fields[name], name, fpr.length * alphas.length, fpr.length * (n + 1));
    const counts = new Uint32Array(raised.length);
    for (let row = 0; row < fpr.length; row++) {
      for (let i = 0; i < alphas.length; i++) {
        const from = row * alphas.length + (isReversed ? alphas.length - 1 - i : i);
        const found = raised[from] - row * (n + 1);
        counts[row * alphas.length + i] =
          found >= 0 && found <= n ? found : malformed(`“${name}” are no counts`);
      }
    }
    return counts;
  };
  const median = ascendingCounts(fields.median, "median", fpr.length, n);
  const words = record(fields.words, "words");
  return {
    entry,
    n,
    fpr,
    alphas,
    lower: rows("lower", false),
    upper: rows("upper", true),
    median: { x: fpr, y: Float64Array.from(median, (each) => each / n) },
    auc: candidates(fields.auc, "auc"),
    gain: candidates(fields.gain, "gain"),
    words: {
      target: text(words.target, "target"),
      scope: text(words.scope, "scope"),
      guarantee: text(words.guarantee, "guarantee"),
    },
  };
}

function candidates(value: unknown, name: string): Float32Array {
  const values = ascending(float32s(value, name), name);
  return values.length > 0 ? values : malformed(`“${name}” has no candidates`);
}
