// The comparators from bytes that may be anything.

import type { Json, Promised } from "../evaluation/types.ts";
import { promiseOf } from "./decode_frame.ts";
import {
  ascending,
  attempt,
  count,
  type Fields,
  fieldsOf,
  float32s,
  float64s,
  isEmpty,
  json,
  level,
  listOf,
  misfit,
  nameText,
  number,
  oneOf,
  optional,
  orNull,
  type Result,
  record,
  text,
  versioned,
} from "./readers.ts";

/** Bounds on what is read: more bands than there are kinds, and more pairs than Python compares. */
const MOST_BANDS = 32;
const MOST_PAIRS = 100;
const STATUSES = ["working", "done", "failed"] as const;

/** Limits of the true positive rate at one alpha. */
export interface Lines {
  alpha: number;
  lower: Float64Array;
  upper: Float64Array;
}

/** A band for this classifier's curve in the population. */
export interface Comparator extends Promised {
  key: string;
  name: string;
  notes: string[];
  /** Whether it was asked for, and so lies over the conformal band too. */
  isLaid: boolean;
  status: (typeof STATUSES)[number];
  done: number;
  total: number;
  /** Why it failed. */
  message: string | null;
  /** The alpha that the notes speak of. */
  alpha: number;
  /** False positive rates, ascending; the lines run straight from one to the next. */
  fpr: Float64Array;
  /** The lines at the alphas that are known, among them that of the kernel's last answer; empty before there is one. */
  lines: Lines[];
}

/** DeLong's paired test of a difference in AUC. */
export interface PairedTest {
  a: string;
  b: string;
  difference: number;
  /** Standard error of the difference; null if there is no test. */
  sd: number | null;
  z: number | null;
  /** The p-value, adjusted by Holm over several pairs. */
  p: number | null;
}

export interface Comparators {
  /** Key of the entry that the items and the area belong to. */
  entry: Json;
  items: Comparator[];
  pairs: PairedTest[];
}

export const NO_COMPARATORS: Comparators = {
  entry: null,
  items: [],
  pairs: [],
};

/** The comparators of a message; none if none were asked for. */
export function decodeComparators(raw: unknown): Result<Comparators> {
  return attempt(() => {
    if (isEmpty(raw)) return NO_COMPARATORS;
    const field = fieldsOf(versioned(raw, "comparison"));
    return {
      entry: field("label", json),
      items: field("items", listOf(comparatorOf, MOST_BANDS)),
      pairs: field("pairs", orNull(listOf(pairedTestOf, MOST_PAIRS))) ?? [],
    };
  });
}

function comparatorOf(value: unknown, name: string): Comparator {
  const fields = record(value, name);
  const field = fieldsOf(fields);
  const status = field("status", oneOf(STATUSES));
  const isDone = status === "done";
  const rates = isDone ? ascending(field("fpr", gridOf), "fpr") : new Float64Array();
  if (isDone && rates.length < 2) misfit("fpr", "has fewer than two points");
  const linesOf = (of: Fields, read: typeof float64s): Lines => {
    const side = (name: string) => fieldsOf(of)(name, ratesBy(read, rates.length));
    return { alpha: fieldsOf(of)("alpha", level), lower: side("lower"), upper: side("upper") };
  };
  // The limits at other alphas are for drawing alone, in half the bytes.
  const stopOf = (stop: unknown, what: string) =>
    linesOf(record(stop, what), (bytes, side) => Float64Array.from(float32s(bytes, side)));
  return {
    key: field("key", text),
    name: field("name", nameText),
    ...promiseOf(field("words", record)),
    notes: field("notes", listOf(text)),
    isLaid: fields.laid !== false,
    status,
    done: field("done", count),
    total: field("total", count),
    message: field("message", optional(text)),
    alpha: field("alpha", level),
    fpr: rates,
    lines: isDone ? [linesOf(fields, float64s), ...(field("stops", orNull(listOf(stopOf))) ?? [])] : [],
  };
}

/** Rates, or so many at equal steps from 0 to 1. */
function gridOf(value: unknown, name: string): Float64Array {
  if (typeof value !== "number") return ratesBy(float64s)(value, name);
  const last = count(value, name) - 1;
  if (last > MOST_RATES) return misfit(name, "are too many");
  return Float64Array.from({ length: last + 1 }, (_, i) => (i === last ? 1 : i * (1 / last)));
}

/** More points than any curve is sent with. */
const MOST_RATES = 1e6;

function ratesBy(read: typeof float64s, length?: number) {
  return (value: unknown, name: string): Float64Array => {
    const rates = read(value, name);
    if (rates.length !== (length ?? rates.length)) misfit(name, "are not as many as “fpr”");
    return rates.every((rate) => rate >= 0 && rate <= 1) ? rates : misfit(name, "are no rates");
  };
}

function pairedTestOf(value: unknown, name: string): PairedTest {
  const field = fieldsOf(value, name);
  return {
    a: field("a", nameText),
    b: field("b", nameText),
    difference: field("difference", number),
    sd: field("sd", optional(number)),
    z: field("z", orNull(number)),
    p: field("p", orNull(number)),
  };
}
