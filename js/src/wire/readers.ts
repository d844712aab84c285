// Reads values that are not trusted, because a saved page may be cut short or changed. If a value is not
// valid, its reader throws an error. `attempt` turns the error into a sentence for the user.

import type { Pair } from "../base/pair.ts";
import type { Json } from "../evaluation/types.ts";

export type Fields = Record<string, unknown>;
export type Result<T> = { ok: true; value: T } | { ok: false; problem: string };
export type Read<T> = (value: unknown, name: string) => T;

class Malformed extends Error {}

export function malformed(problem: string): never {
  throw new Malformed(problem);
}

/** Throws an error that names the value and what is wrong with it. */
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

/** Returns a function that reads a field of a record by the field's name. */
export function fieldsOf(value: unknown, of = "") {
  const fields = record(value, of);
  return <T>(name: string, read: Read<T>): T => read(fields[name], name);
}

/**
 * Reads a record with these fields. In the message, the names of the fields are in snake case. If a field
 * does not fit, the error names it with `start` in front.
 */
export const recordOf =
  <T>(reads: { [Name in keyof T]: Read<T[Name]> }, start = ""): Read<T> =>
  (value, name) => {
    const fields = record(value, name);
    const read = ([own, readOne]: [string, Read<unknown>]) => {
      const sent = inSnakeCase(own);
      return [own, readOne(fields[sent], start + sent)] as const;
    };
    return Object.fromEntries(Object.entries<Read<unknown>>(reads).map(read)) as T;
  };

const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** No list of a valid payload has more items than this. A changed file with more would slow the page down. */
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

/** Makes a reader of a field that may be missing. It returns null for a missing field. */
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

/** Reads a number greater than 0 and less than 1. */
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

/**
 * Reads a name that the user gave. If a name is longer than the longest name that Python's `name_text` sends,
 * it is cut.
 */
export function nameText(value: unknown, name: string): string {
  if (typeof value !== "string") misfit(name, "is not a text");
  // A letter takes one or two UTF-16 units, and each of its combining marks takes at least one. A valid name
  // has at most 20 * LONGEST_NAME units in all.
  const letters = [...fewMarks(value.slice(0, 20 * LONGEST_NAME))];
  const isWhole = letters.length <= LONGEST_NAME && value.length <= 20 * LONGEST_NAME;
  return isWhole ? letters.join("") : `${letters.slice(0, LONGEST_NAME - 1).join("")}…`;
}

/**
 * Returns the text with at most eight combining marks for each letter. More marks would be drawn over the
 * lines above and below.
 */
const fewMarks = (value: string) => value.replace(/(\p{M}{8})\p{M}+/gu, "$1");

export function flag(value: unknown, name: string): boolean {
  return typeof value === "boolean" ? value : misfit(name, "is neither true nor false");
}

export function oneOf<T extends string>(choices: readonly T[]): Read<T> {
  return (value, name) =>
    choices.find((choice) => choice === value) ?? misfit(name, `is none of ${choices.join(", ")}`);
}

/** Reads a label or name that the user gave in Python: a word, a number, or a short list of them. */
export function json(value: unknown, name: string, depth = 3): Json {
  if (value === null || ["boolean", "number", "string"].includes(typeof value)) return value as Json;
  if (!Array.isArray(value) || depth === 0 || value.length > MOST_ITEMS) return misfit(name, "is no label");
  return value.map((item) => json(item, name, depth - 1));
}

export function float64s(value: unknown, name: string, length?: number): Float64Array {
  return withoutNaN(new Float64Array(copyOf(view(value, name, 8, length))), name);
}

export function float32s(value: unknown, name: string): Float32Array {
  return withoutNaN(new Float32Array(copyOf(view(value, name, 4))), name);
}

/**
 * Returns the bytes. Numbers are sent as little-endian bytes, because browsers and the engine for pictures
 * run on little-endian processors.
 */
const copyOf = ({ buffer, byteOffset, byteLength }: DataView) =>
  buffer.slice(byteOffset, byteOffset + byteLength);

export function ascending<T extends Float32Array | Float64Array>(values: T, name: string): T {
  for (let i = 1; i < values.length; i++) {
    if (values[i] < values[i - 1]) misfit(name, "is not in ascending order");
  }
  return values;
}

/**
 * Reads `length` counts that never fall and do not exceed `most`. They are sent as the first count and the differences,
 * each in LEB128.
 */
export function ascendingCounts(value: unknown, name: string, length: number, most: number): Float64Array {
  const { buffer, byteOffset, byteLength } = view(value, name, 1);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const counts = new Float64Array(length);
  let at = 0;
  let sum = 0;
  for (let i = 0; i < length; i++) {
    let place = 1;
    // A byte beyond the end is undefined, and the loop ends there.
    while (bytes[at] & 0x80) {
      sum += (bytes[at++] & 0x7f) * place;
      place *= 128;
    }
    sum += bytes[at++] * place;
    counts[i] = sum;
  }
  if (at > byteLength) misfit(name, "has too few bytes");
  if (at < byteLength) misfit(name, "has more bytes than the curve has vertices");
  if (!(sum <= most)) misfit(name, "counts more than there are");
  return counts;
}

function withoutNaN<T extends Float32Array | Float64Array>(numbers: T, name: string): T {
  return numbers.includes(Number.NaN) ? misfit(name, "has an entry that is not a number") : numbers;
}

function view(value: unknown, name: string, itemSize: number, length?: number): DataView {
  if (!(value instanceof DataView)) misfit(name, "holds no bytes");
  const fits =
    length === undefined ? value.byteLength % itemSize === 0 : value.byteLength === itemSize * length;
  return fits ? value : misfit(name, `has ${value.byteLength} bytes, which does not fit`);
}

export const VERSION = 13;

/** Whether a message has not arrived yet: it is missing or an empty record. */
export const isEmpty = (raw: unknown) =>
  raw === null || raw === undefined || (isRecord(raw) && Object.keys(raw).length === 0);

/** Returns the outermost record of a message. Throws if the message has another version than this page reads. */
export function versioned(raw: unknown, what: string): Fields {
  const fields = record(raw, what);
  if (fields.version !== VERSION) {
    malformed(
      `the ${what} has format version ${JSON.stringify(fields.version) ?? "none"}, this page reads ${VERSION}`,
    );
  }
  return fields;
}
