// Band, entry, weights, view and use: as the kernel has them, and as the reader has chosen them since.

import { isSameValue } from "../base/equal.ts";
import type { Group } from "../evaluation/types.ts";
import { PAGE, type Traits, type View } from "../wire/messages.ts";
import type { Model } from "./view_model.ts";

export class ChosenView {
  /** The choices that the kernel may not have heard of. */
  #choices: Partial<View> = {};

  #known: View;

  constructor(known: View) {
    this.#known = known;
  }

  /** The view that the page shows. */
  get view(): View {
    return { ...this.#known, ...this.#choices };
  }

  get pending(): Partial<View> {
    return this.#choices;
  }

  choose(view: Partial<View>) {
    this.#choices = { ...this.#choices, ...view };
  }

  /** Takes a trait that was set elsewhere; false where the reader's own choice stands against it. */
  adopt<Name extends keyof View>(name: Name, value: View[Name]): boolean {
    if (name in this.#choices) return false;
    this.#known = { ...this.#known, [name]: value };
    return true;
  }

  /** The kernel has heard of every choice. */
  settle() {
    this.#known = this.view;
    this.#choices = {};
  }

  /** The kernel could not take the choices. */
  discard() {
    this.#choices = {};
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
});

export const traitsOf = (model: Model): Traits => ({
  alpha: model.get("alpha"),
  threshold: model.get("threshold"),
  ...viewOf(model),
});

/** The entry of a group that is looked at; null for all classes or folds. Of others at first the first. */
export function indexOf({ kind, entries }: Group, label: View["label"]): number | null {
  const index = kind === "single" ? 0 : entries.findIndex(({ key }) => isSameValue(key, label));
  if (index >= 0) return index;
  return kind === "classes" || kind === "folds" ? null : 0;
}
