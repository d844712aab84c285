// Makes the model of a page that was saved to a file. The payload in the file is not trusted.

import { type Fields, isRecord } from "../wire/readers.ts";
import type { Model } from "./model.ts";

/** Returns the model for the payload of a saved page. Throws a TypeError if the payload is invalid. */
export function savedModel(payload: unknown): Model {
  if (!isRecord(payload) || !isRecord(payload.state)) throw new TypeError("not a saved chart");
  const { state, data, frame, comparators = null, ideal = null } = payload;
  const traits = {
    ...state,
    _data: withBytes(data),
    _frame: withBytes(frame),
    _comparators: withBytes(comparators),
    _ideal: withBytes(ideal),
    _static: true,
  };
  return new SavedModel(traits) as unknown as Model;
}

/** A model with anywidget's interface, but without a kernel. */
class SavedModel {
  readonly #reactions = new Map<string, Set<() => void>>();

  readonly #traits: Record<string, unknown>;

  constructor(traits: Record<string, unknown>) {
    this.#traits = traits;
  }

  get(name: string): unknown {
    return this.#traits[name];
  }

  set(name: string, value: unknown) {
    if (this.#traits[name] === value) return;
    this.#traits[name] = value;
    for (const reaction of this.#reactions.get(`change:${name}`) ?? []) reaction();
  }

  on(event: string, reaction: () => void) {
    this.#reactions.set(event, (this.#reactions.get(event) ?? new Set()).add(reaction));
  }

  off(event: string, reaction: () => void) {
    this.#reactions.get(event)?.delete(reaction);
  }

  send() {}

  save_changes() {}
}

/**
 * Returns the payload that a text holds. Null if it holds none. In Python, `packed` of wire/encoding.py makes
 * the text. It encodes a gzip file: a line of JSON, and bytes after the line. In the JSON, {"bytes": n}
 * stands for the next n of these bytes.
 */
export async function unpacked(text: string): Promise<unknown> {
  try {
    const packed = new Response(ofLetters(text)).body;
    const all = await new Response(packed?.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    const end = new Uint8Array(all).indexOf(10);
    const line = new TextDecoder().decode(new Uint8Array(all, 0, end));
    let at = end + 1;
    return withBytes(JSON.parse(line), ({ bytes, words }) => {
      if (typeof bytes !== "number") return null;
      const view = new DataView(all, at, bytes);
      at += bytes;
      return words === 4 || words === 8 ? ofWords(view, words) : view;
    });
  } catch {
    return null;
  }
}

/**
 * Restores numbers of `length` bytes from the differences between neighbours. The bytes are sorted: first the first
 * byte of every difference, then all second bytes, and so on.
 */
function ofWords(bytes: DataView, length: number): DataView {
  const n = bytes.byteLength / length;
  const words = new DataView(new ArrayBuffer(bytes.byteLength));
  for (let i = 0; i < n; i++) {
    let carried = 0;
    for (let place = 0; place < length; place++) {
      const before = i > 0 ? words.getUint8((i - 1) * length + place) : 0;
      const sum = before + bytes.getUint8(place * n + i) + carried;
      words.setUint8(i * length + place, sum % 256);
      carried = sum > 255 ? 1 : 0;
    }
  }
  return words;
}

/** The digits of base 91. Two digits encode 13 bits. In Python: wire/encoding.py. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=/?@^_`{|}~ ":[]>';

function ofLetters(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((13 * (text.length >> 1) + 6 * (text.length % 2)) / 8));
  const digit = (i: number) => Math.max(DIGITS.indexOf(text[i]), 0);
  for (let i = 0, at = 0, bits = 0, many = 0; i < text.length; i += 2) {
    bits += (digit(i) + 91 * digit(i + 1)) << many;
    for (many += 13; many > 7; many -= 8, bits >>= 8) bytes[at++] = bits;
  }
  return bytes;
}

/**
 * Returns the value with bytes in place of the records that stand for them. `read` returns the bytes of such a record,
 * and null for any other record.
 */
function withBytes(value: unknown, read = ofBase64): unknown {
  if (Array.isArray(value)) return value.map((item) => withBytes(item, read));
  if (!isRecord(value) || value instanceof DataView) return value;
  const view = read(value);
  return (
    view ?? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withBytes(item, read)]))
  );
}

const ofBase64 = ({ base64 }: Fields): DataView | null =>
  typeof base64 === "string" ? new DataView(bytesOf(base64).buffer) : null;

// Newer browsers, and the engine that draws still pictures, have `Uint8Array.fromBase64`. It is about ten
// times as fast as the code below.
const { fromBase64 } = Uint8Array as { fromBase64?: (base64: string) => Uint8Array<ArrayBuffer> };

const bytesOf = (base64: string) =>
  fromBase64?.call(Uint8Array, base64) ?? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
