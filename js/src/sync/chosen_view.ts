// Keeps the controls: the values of the kernel's last answer, and what the user has changed since.

import { isSameValue } from "../base/equal.ts";
import type { Group } from "../evaluation/types.ts";
import type { Controls, View } from "../wire/controls.ts";
import type { Wish } from "../wire/messages.ts";

/**
 * A value that the user has set, and the number of the first request that contains it. The number is null until that
 * request is sent.
 */
interface Change {
  value: unknown;
  seq: number | null;
}

/** The controls of the kernel's last answer, with the user's later changes. */
export class Wishes {
  #known: Controls;

  #changes = new Map<string, Change>();

  constructor(known: Controls) {
    this.#known = known;
  }

  get controls(): Controls {
    return { ...this.#known, ...this.pending };
  }

  /** Returns the user's changes that the kernel has not answered yet. */
  get pending(): Wish {
    return Object.fromEntries([...this.#changes].map(([name, { value }]) => [name, value]));
  }

  /** Records the values that the user has set. Unchanged values are ignored. */
  change(wish: Wish) {
    const now = this.controls;
    for (const [name, value] of Object.entries(wish))
      if (!isSameValue(value, now[name as keyof Controls])) this.#changes.set(name, { value, seq: null });
  }

  sent(seq: number) {
    for (const change of this.#changes.values()) change.seq ??= seq;
  }

  /** Accepts that the kernel has answered a request or refused it. Returns the names of the controls in the request. */
  answered(seq: number): string[] {
    const carried = [...this.#changes].filter(([, change]) => change.seq !== null && change.seq <= seq);
    for (const [name] of carried) this.#changes.delete(name);
    return carried.map(([name]) => name);
  }

  /** Accepts values that the kernel or a linked widget has set. */
  adopt(values: Wish) {
    this.#known = { ...this.#known, ...values };
  }
}

/**
 * Returns the index of the selected evaluation. Null if all classes or folds are shown together. If nothing
 * was selected, it is the index of the middle horizon if the group has horizons, and otherwise of the first
 * evaluation.
 */
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
