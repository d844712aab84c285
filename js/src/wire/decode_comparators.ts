// Decodes the comparators. The bytes are not trusted.

import type { Json } from "../evaluation/types.ts";
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
  recordOf,
  text,
  versioned,
} from "./readers.ts";

/**
 * A message with more comparators or more pairs than this is refused. There are fewer kinds of comparators,
 * and Python compares fewer pairs.
 */
const MOST_BANDS = 32;
const MOST_PAIRS = 100;
const STATUSES = ["working", "done", "failed"] as const;

export interface Comparators {
  /** The name of the evaluation that the items belong to. */
  entry: Json;
  items: Comparator[];
  pairs: PairedTest[];
}

export const NO_COMPARATORS: Comparators = { entry: null, items: [], pairs: [] };

/** Decodes the comparators of a message. Empty if the user asked for none. */
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

/** A band for this classifier's curve in the population. */
export type Comparator = ReturnType<typeof comparatorOf>;
/** Limits of the true positive rate at one alpha. */
export type Lines = Comparator["lines"][number];

function comparatorOf(value: unknown, name: string) {
  const fields = record(value, name);
  const field = fieldsOf(fields);
  const status = field("status", oneOf(STATUSES));
  const isDone = status === "done";
  const rates = isDone ? ascending(field("fpr", gridOf), "fpr") : new Float64Array();
  if (isDone && rates.length < 2) misfit("fpr", "has fewer than two points");
  const linesOf = (of: Fields, read: typeof float64s) => {
    const side = (name: string) => fieldsOf(of)(name, ratesBy(read, rates.length));
    return { alpha: fieldsOf(of)("alpha", level), lower: side("lower"), upper: side("upper") };
  };
  // The limits at other alphas than that of the kernel's last answer are only drawn. 32 bits are enough for a
  // picture.
  const stopOf = (stop: unknown, what: string) =>
    linesOf(record(stop, what), (bytes, side) => Float64Array.from(float32s(bytes, side)));
  return {
    key: field("key", text),
    name: field("name", nameText),
    ...field("words", promiseOf),
    notes: field("notes", listOf(text)),
    /** Whether the user asked for the comparator. If so, it is drawn over the conformal band too. */
    isLaid: fields.laid !== false,
    status,
    done: field("done", count),
    total: field("total", count),
    /** Why the comparator failed. Null if it did not. */
    message: field("message", optional(text)),
    /** The alpha that the notes are about. */
    alpha: field("alpha", level),
    /** False positive rates in ascending order. Between two of them, the lines are straight. */
    fpr: rates,
    /** The lines at each known alpha, one of which is that of the kernel's last answer. Empty before the first answer. */
    lines: isDone ? [linesOf(fields, float64s), ...(field("stops", orNull(listOf(stopOf))) ?? [])] : [],
  };
}

/** Reads false positive rates. A number n stands for n evenly spaced rates from 0 to 1. */
function gridOf(value: unknown, name: string): Float64Array {
  if (typeof value !== "number") return ratesBy(float64s)(value, name);
  const last = count(value, name) - 1;
  if (last > MOST_RATES) return misfit(name, "are too many");
  return Float64Array.from({ length: last + 1 }, (_, i) => (i === last ? 1 : i * (1 / last)));
}

/** The largest number of rates that is accepted. No curve has as many points. */
const MOST_RATES = 1e6;

function ratesBy(read: typeof float64s, length?: number) {
  return (value: unknown, name: string): Float64Array => {
    const rates = read(value, name);
    if (rates.length !== (length ?? rates.length)) misfit(name, "are not as many as “fpr”");
    return rates.every((rate) => rate >= 0 && rate <= 1) ? rates : misfit(name, "are no rates");
  };
}

/** DeLong's paired test of the difference between two AUCs. */
export type PairedTest = ReturnType<typeof pairedTestOf>;

const pairedTestOf = recordOf({
  ...{ a: nameText, b: nameText, difference: number },
  /** The standard error of the difference. Null if there is no test. */
  sd: optional(number),
  z: orNull(number),
  /** The p-value. If there are several pairs, it is adjusted by Holm's method. */
  p: orNull(number),
});
