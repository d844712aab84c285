// Keeps the user's settings for undo. A drag is one step.

import { isSameValue } from "../base/equal.ts";
import type { Controls } from "../wire/controls.ts";

/** The setting that undo restores: the controls, and whether the user picked the threshold on the page. */
export interface Setting extends Controls {
  picked: boolean;
}

/** A change: the controls that it affected, with their values before it. */
interface Step {
  before: Partial<Setting>;
  isReset: boolean;
}

const LONGEST = 100;

export class History {
  #steps: Step[] = [];
  #hands = 0;
  #heldFrom: Setting | null = null;

  readonly #setting: () => Setting;

  constructor(setting: () => Setting) {
    this.#setting = setting;
  }

  /** Whether the user drags a control now. All changes of a drag are one step. */
  get isHeld(): boolean {
    return this.#hands > 0;
  }

  get endsInReset(): boolean {
    return this.#steps.at(-1)?.isReset ?? false;
  }

  hold() {
    this.#heldFrom ??= this.#setting();
    this.#hands += 1;
  }

  release() {
    this.#hands -= 1;
    if (this.isHeld || !this.#heldFrom) return;
    this.#add(this.#heldFrom, false);
    this.#heldFrom = null;
  }

  step(change: () => void, isReset = false) {
    const before = this.#setting();
    change();
    if (!this.isHeld) this.#add(before, isReset);
  }

  /** Undoes the last step. Returns the values before it, or null if there is no step or a drag goes on. */
  undo(): Partial<Setting> | null {
    return this.isHeld ? null : (this.#steps.pop()?.before ?? null);
  }

  /** Adds a step, unless nothing has changed. */
  #add(before: Setting, isReset: boolean) {
    const after = this.#setting();
    const names = (Object.keys(before) as (keyof Setting)[]).filter(
      (name) => !isSameValue(before[name], after[name]),
    );
    if (names.length === 0) return;
    const changed = Object.fromEntries(names.map((name) => [name, before[name]]));
    this.#steps = [...this.#steps, { before: changed, isReset }].slice(-LONGEST);
  }
}
