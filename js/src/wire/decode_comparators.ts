// The comparators from bytes that may be anything.

import type { Pair } from "../base/pair.ts";
import type { Json, Words } from "../evaluation/types.ts";
import {
  ascending,
  attempt,
  count,
  type Fields,
  float32s,
  float64s,
  isRecord,
  json,
  level,
  list,
  malformed,
  number,
  oneOf,
  orNull,
  pair,
  type Result,
  record,
  text,
  versioned,
} from "./readers.ts";

const STATUSES = ["working", "done", "failed"] as const;

/** Limits of the true positive rate at one alpha. */
export interface Lines {
  alpha: number;
  lower: Float64Array;
  upper: Float64Array;
}

/** A band for this classifier's curve in the population. */
export interface Comparator extends Words {
  key: string;
  name: string;
  notes: string[];
  status: (typeof STATUSES)[number];
  done: number;
  total: number;
  /** Why it failed. */
  message: string | null;
  /** The alpha that the guarantee and the notes speak of. */
  alpha: number;
  /** Ascending; the lines run straight from one to the next. */
  fpr: Float64Array;
  /** At the alphas that are known, one of them that of the kernel's last answer; none before there is an answer. */
  lines: Lines[];
}

/** DeLong's paired test of a difference in AUC. */
export interface PairedTest {
  a: string;
  b: string;
  difference: number;
  /** Null where the test has none. */
  z: number | null;
  p: number | null;
}

export interface Comparators {
  /** The entry that the items and the area are of. */
  entry: Json;
  items: Comparator[];
  /** Where the AUC in the population lies. */
  delong: { alpha: number; range: Pair<number> } | null;
  pairs: PairedTest[];
}

export const NO_COMPARATORS: Comparators = { entry: null, items: [], delong: null, pairs: [] };

/** Nothing where none were asked for. */
export function decodeComparators(raw: unknown): Result<Comparators> {
  return attempt(() => {
    if (raw === null || raw === undefined || (isRecord(raw) && Object.keys(raw).length === 0)) {
      return NO_COMPARATORS;
    }
    const { label, items, delong, delong_alpha, pairs } = versioned(raw, "comparison");
    const range = orNull((value, name) => pair(value, name, number))(delong, "delong");
    return {
      entry: json(label, "label"),
      items: list(items, "items", comparatorOf),
      delong: range && { alpha: level(delong_alpha, "delong_alpha"), range },
      pairs: orNull((value, name) => list(value, name, pairedTestOf))(pairs, "pairs") ?? [],
    };
  });
}

function comparatorOf(value: unknown, name: string): Comparator {
  const fields = record(value, name);
  const { status, fpr, stops } = fields;
  const isDone = status === "done";
  const rates = isDone ? ascending(ratesOf(float64s(fpr, "fpr"), "fpr"), "fpr") : new Float64Array();
  if (isDone && rates.length < 2) malformed("“fpr” has fewer than two points");
  const linesOf = (
    { alpha, lower, upper }: Fields,
    read: (value: unknown, name: string) => Float64Array,
  ) => ({
    alpha: level(alpha, "alpha"),
    lower: ratesOf(read(lower, "lower"), "lower", rates.length),
    upper: ratesOf(read(upper, "upper"), "upper", rates.length),
  });
  // The limits at other alphas are for drawing alone, in half the bytes.
  const stopOf = (stop: unknown, what: string) =>
    linesOf(record(stop, what), (value, side) => Float64Array.from(float32s(value, side)));
  return {
    key: text(fields.key, "key"),
    name: text(fields.name, "name"),
    target: text(fields.target, "target"),
    scope: text(fields.scope, "scope"),
    guarantee: text(fields.guarantee, "guarantee"),
    notes: list(fields.notes, "notes", text),
    status: oneOf(STATUSES)(status, "status"),
    done: count(fields.done, "done"),
    total: count(fields.total, "total"),
    message: orNull(text)(fields.message ?? null, "message"),
    alpha: level(fields.alpha, "alpha"),
    fpr: rates,
    lines: isDone ? [linesOf(fields, float64s), ...(orNull(stopsRead)(stops, "stops") ?? [])] : [],
  };

  function stopsRead(value: unknown, what: string): Lines[] {
    return list(value, what, stopOf);
  }
}

function ratesOf(rates: Float64Array, name: string, length = rates.length): Float64Array {
  if (rates.length !== length) malformed(`“${name}” are not as many as “fpr”`);
  return rates.every((rate) => rate >= 0 && rate <= 1) ? rates : malformed(`“${name}” are no rates`);
}

function pairedTestOf(value: unknown, name: string): PairedTest {
  const { a, b, difference, z, p } = record(value, name);
  return {
    a: text(a, "a"),
    b: text(b, "b"),
    difference: number(difference, "difference"),
    z: orNull(number)(z, "z"),
    p: orNull(number)(p, "p"),
  };
}
