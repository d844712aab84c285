// The controls: as the kernel last gave them, and as the reader has changed them since.

import { isSameValue } from "../base/equal.ts";
import type { Group } from "../evaluation/types.ts";
import type { Controls, View } from "../wire/controls.ts";
import type { Wish } from "../wire/messages.ts";

/** A value that the reader has set, and the number of the first request that carried it; null before that. */
interface Change {
  value: unknown;
  seq: number | null;
}

/** The controls as the kernel last gave them, overlaid with what the reader has changed since its answer. */
export class Wishes {
  #known: Controls;

  #changes = new Map<string, Change>();

  constructor(known: Controls) {
    this.#known = known;
  }

  get controls(): Controls {
    return { ...this.#known, ...this.pending };
  }

  /** The values that the kernel may not have. */
  get pending(): Wish {
    return Object.fromEntries([...this.#changes].map(([name, { value }]) => [name, value]));
  }

  /** Takes values that the reader sets; a value that stays as it was is no change. */
  change(wish: Wish) {
    const now = this.controls;
    for (const [name, value] of Object.entries(wish))
      if (!isSameValue(value, now[name as keyof Controls])) this.#changes.set(name, { value, seq: null });
  }

  sent(seq: number) {
    for (const change of this.#changes.values()) change.seq ??= seq;
  }

  /** Takes the kernel's answer or refusal, and returns the names of the values that the request carried. */
  answered(seq: number): string[] {
    const carried = [...this.#changes].filter(([, change]) => change.seq !== null && change.seq <= seq);
    for (const [name] of carried) this.#changes.delete(name);
    return carried.map(([name]) => name);
  }

  /** Takes values of the kernel, or of a linked widget. */
  adopt(values: Wish) {
    this.#known = { ...this.#known, ...values };
  }
}

/** Index of the entry that is looked at; null for all classes or folds together. Where nothing was chosen, the first of other groups. */
export function indexOf(
  { kind, entries }: Group,
  { label, horizon }: Pick<View, "label" | "horizon">,
): number | null {
  const wanted = kind === "horizons" ? horizon : label;
  const index = kind === "single" ? 0 : entries.findIndex(({ key }) => isSameValue(key, wanted));
  if (index >= 0) return index;
  if (kind === "horizons") return Math.floor(entries.length / 2);
  return kind === "classes" || kind === "folds" ? null : 0;
}
