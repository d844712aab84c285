// Readers of values that may be anything: a saved page can be cut short or tampered with. A misfit becomes a sentence.

import type { Pair } from "../base/pair.ts";
import type { Json } from "../evaluation/types.ts";

export type Fields = Record<string, unknown>;
export type Result<T> = { ok: true; value: T } | { ok: false; problem: string };
export type Read<T> = (value: unknown, name: string) => T;

class Malformed extends Error {}

export function malformed(problem: string): never {
  throw new Malformed(problem);
}

/** Refuses a value, with its name in the message. */
export function misfit(name: string, fault: string): never {
  malformed(`“${name}” ${fault}`);
}

export function attempt<T>(read: () => T): Result<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.message };
    throw error;
  }
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function record(value: unknown, name: string): Fields {
  return isRecord(value) ? value : misfit(name, "is missing");
}

/** Reads the fields of a record by their names. */
export function fieldsOf(value: unknown, of = "") {
  const fields = record(value, of);
  return <T>(name: string, read: Read<T>): T => read(fields[name], name);
}

/** More than a payload of ours has in any list: each item would cost the page time, and a tampered file has many. */
export const MOST_ITEMS = 1000;

export function listOf<T>(read: Read<T>, most = MOST_ITEMS): Read<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) misfit(name, "is not a list");
    if (value.length > most) misfit(name, `has ${value.length} items, at most ${most} can be read`);
    return Array.from(value, (item) => read(item, name));
  };
}

export function pairOf<T>(read: Read<T>): Read<Pair<T>> {
  return (value, name) => {
    if (!Array.isArray(value) || value.length !== 2) misfit(name, "is not a pair");
    return [read(value[0], name), read(value[1], name)];
  };
}

export const anything: Read<unknown> = (value) => value;

export function orNull<T>(read: Read<T>): Read<T | null> {
  return (value, name) => (value === null ? null : read(value, name));
}

/** Reads a field that may be missing, which is null then. */
export function optional<T>(read: Read<T>): Read<T | null> {
  return (value, name) => orNull(read)(value ?? null, name);
}

export function number(value: unknown, name: string): number {
  return typeof value === "number" && !Number.isNaN(value) ? value : misfit(name, "is not a number");
}

export function count(value: unknown, name: string): number {
  const n = number(value, name);
  return Number.isSafeInteger(n) && n >= 0 ? n : misfit(name, "is not a count");
}

/** A number strictly between 0 and 1. */
export function level(value: unknown, name: string): number {
  const alpha = number(value, name);
  return alpha > 0 && alpha < 1 ? alpha : misfit(name, "is not between 0 and 1");
}

export function positive(value: unknown, name: string): number {
  const found = number(value, name);
  return found > 0 && Number.isFinite(found) ? found : misfit(name, "is not above 0");
}

const MOST_LETTERS = 10_000;

export function text(value: unknown, name: string): string {
  if (typeof value !== "string") misfit(name, "is not a text");
  if (value.length > MOST_LETTERS)
    misfit(name, `has ${value.length} letters, at most ${MOST_LETTERS} can be read`);
  return fewMarks(value);
}

const LONGEST_NAME = 200;

/** A name that somebody has given, cut where it is longer than any that Python's `name_text` sends. */
export function nameText(value: unknown, name: string): string {
  if (typeof value !== "string") misfit(name, "is not a text");
  // The most UTF-16 units of a name: a letter has at most two.
  const letters = [...fewMarks(value.slice(0, 20 * LONGEST_NAME))];
  const isWhole = letters.length <= LONGEST_NAME && value.length <= 20 * LONGEST_NAME;
  return isWhole ? letters.join("") : `${letters.slice(0, LONGEST_NAME - 1).join("")}…`;
}

/** The text with at most eight marks on a letter: more would paint over the lines around. */
const fewMarks = (value: string) => value.replace(/(\p{M}{8})\p{M}+/gu, "$1");

export function flag(value: unknown, name: string): boolean {
  return typeof value === "boolean" ? value : misfit(name, "is neither true nor false");
}

export function oneOf<T extends string>(choices: readonly T[]): Read<T> {
  return (value, name) =>
    choices.find((choice) => choice === value) ?? misfit(name, `is none of ${choices.join(", ")}`);
}

/** A label as Python's keys are: a word, a number, or a few of them. */
export function json(value: unknown, name: string, depth = 3): Json {
  if (value === null || ["boolean", "number", "string"].includes(typeof value)) return value as Json;
  if (!Array.isArray(value) || depth === 0 || value.length > MOST_ITEMS) return misfit(name, "is no label");
  return value.map((item) => json(item, name, depth - 1));
}

export function float64s(value: unknown, name: string, length?: number): Float64Array {
  const bytes = view(value, name, 8, length);
  const numbers = new Float64Array(bytes.byteLength / 8);
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.getFloat64(8 * i, true);
  return withoutNaN(numbers, name);
}

export function float32s(value: unknown, name: string): Float32Array {
  const bytes = view(value, name, 4);
  const numbers = new Float32Array(bytes.byteLength / 4);
  for (let i = 0; i < numbers.length; i++) numbers[i] = bytes.getFloat32(4 * i, true);
  return withoutNaN(numbers, name);
}

export function ascending<T extends Float32Array | Float64Array>(values: T, name: string): T {
  for (let i = 1; i < values.length; i++) {
    if (values[i] < values[i - 1]) misfit(name, "is not in ascending order");
  }
  return values;
}

/** `length` counts that do not fall and are at most `most`: LEB128 of the first and of the differences. */
export function ascendingCounts(value: unknown, name: string, length: number, most: number): Float64Array {
  const bytes = view(value, name, 1);
  const counts = new Float64Array(length);
  let at = 0;
  let sum = 0;
  for (let i = 0; i < length; i++) {
    let byte = 0x80;
    for (let place = 1; byte & 0x80; place *= 128) {
      if (at === bytes.byteLength || sum > most) misfit(name, "has too few bytes or too large counts");
      byte = bytes.getUint8(at++);
      sum += (byte & 0x7f) * place;
    }
    if (sum > most) misfit(name, "counts more than there are");
    counts[i] = sum;
  }
  if (at !== bytes.byteLength) misfit(name, "has more bytes than the curve has vertices");
  return counts;
}

function withoutNaN<T extends Float32Array | Float64Array>(numbers: T, name: string): T {
  return numbers.some((item: number) => Number.isNaN(item))
    ? misfit(name, "has an entry that is not a number")
    : numbers;
}

function view(value: unknown, name: string, itemSize: number, length?: number): DataView {
  if (!(value instanceof DataView)) misfit(name, "holds no bytes");
  const fits =
    length === undefined ? value.byteLength % itemSize === 0 : value.byteLength === itemSize * length;
  return fits ? value : misfit(name, `has ${value.byteLength} bytes, which does not fit`);
}

export const VERSION = 12;

/** Whether a message has come at all: none is nothing, or a record of nothing. */
export const isEmpty = (raw: unknown) =>
  raw === null || raw === undefined || (isRecord(raw) && Object.keys(raw).length === 0);

/** The outermost record of a message, if it is of the version that this page reads. */
export function versioned(raw: unknown, what: string): Fields {
  const fields = record(raw, what);
  if (fields.version !== VERSION) {
    malformed(
      `the ${what} has format version ${JSON.stringify(fields.version) ?? "none"}, this page reads ${VERSION}`,
    );
  }
  return fields;
}
