// The model of a page without a notebook, from a payload that may be anything.

import { isRecord } from "../wire/readers.ts";
import type { Model } from "./model.ts";

/** The model of a payload; a TypeError where it is none. */
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

/** A model of anywidget without anyone on the other side. */
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

function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (!isRecord(value)) return value;
  if (typeof value.base64 === "string") return viewOf(value.base64);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withBytes(item)]));
}

function viewOf(base64: string): DataView {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}
