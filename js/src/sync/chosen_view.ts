// The controls: as the kernel has values them, and as the reader has changed them since.

import { isSameValue } from "../base/equal.ts";
import type { Group } from "../evaluation/types.ts";
import type { Controls, View } from "../wire/controls.ts";
import type { Wish } from "../wire/messages.ts";

/** A value that the reader's hand has set, and the first request that carried it; null while none has. */
interface Change {
  value: unknown;
  seq: number | null;
}

/** What the kernel has values last, under what the reader has changed since its last answer. */
export class Wishes {
  #known: Controls;

  #changes = new Map<string, Change>();

  constructor(known: Controls) {
    this.#known = known;
  }

  get controls(): Controls {
    return { ...this.#known, ...this.pending };
  }

  /** What the kernel may not have heard of. */
  get pending(): Wish {
    return Object.fromEntries([...this.#changes].map(([name, { value }]) => [name, value]));
  }

  /** The reader sets values; one that is as it was is no change. */
  change(wish: Wish) {
    const now = this.controls;
    for (const [name, value] of Object.entries(wish))
      if (!isSameValue(value, now[name as keyof Controls])) this.#changes.set(name, { value, seq: null });
  }

  sent(seq: number) {
    for (const change of this.#changes.values()) change.seq ??= seq;
  }

  /** The kernel has taken a request, or has refused it: the names of what it carried. */
  answered(seq: number): string[] {
    const carried = [...this.#changes].filter(([, change]) => change.seq !== null && change.seq <= seq);
    for (const [name] of carried) this.#changes.delete(name);
    return carried.map(([name]) => name);
  }

  /** A value of the kernel's, or of a linked widget's. */
  adopt(values: Wish) {
    this.#known = { ...this.#known, ...values };
  }
}

/** The entry of a group that is looked at; null for all classes or folds. Of others at first the first. */
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
