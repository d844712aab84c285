// The traits: as the kernel has told them, and as the reader has changed them since.

import { isSameValue } from "../base/equal.ts";
import type { Group } from "../evaluation/types.ts";
import { PAGE, type Traits, type View, type Wish } from "../wire/messages.ts";
import type { Model } from "./model.ts";

/** A value that the reader's hand has set, and the first request that carried it; null while none has. */
interface Change {
  value: unknown;
  seq: number | null;
}

/** What the kernel has told last, under what the reader has changed since its last answer. */
export class Wishes {
  #known: Traits;

  #changes = new Map<string, Change>();

  constructor(known: Traits) {
    this.#known = known;
  }

  get traits(): Traits {
    return { ...this.#known, ...this.pending };
  }

  /** What the kernel may not have heard of. */
  get pending(): Wish {
    return Object.fromEntries([...this.#changes].map(([name, { value }]) => [name, value]));
  }

  /** The reader sets values; what they are already is none of them. */
  change(wish: Wish) {
    const now = this.traits;
    for (const [name, value] of Object.entries(wish))
      if (!isSameValue(value, now[name as keyof Traits])) this.#changes.set(name, { value, seq: null });
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
  adopt(told: Wish) {
    this.#known = { ...this.#known, ...told };
  }
}

export const viewOf = (model: Model): View => ({
  band: model.get("band"),
  label: model.get("label"),
  weights: model.get("weights"),
  // Absent in a page that was saved before there were any.
  view: model.get("view") ?? "roc",
  prevalence: model.get("prevalence") ?? null,
  cost_ratio: model.get("cost_ratio") ?? null,
  guarantee: model.get("guarantee") ?? null,
  page: model.get("page") ?? PAGE,
  horizon: model.get("horizon") ?? null,
  zoom: model.get("zoom") ?? false,
});

export const traitsOf = (model: Model): Traits => ({
  alpha: model.get("alpha"),
  threshold: model.get("threshold"),
  ...viewOf(model),
});

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
