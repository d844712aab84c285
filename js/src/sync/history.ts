// History of the reader's settings, for undo: a drag is one step.

import { isSameValue } from "../base/equal.ts";
import type { Controls } from "../wire/controls.ts";

/** What a reader can take back: the controls, and whether the threshold was picked by hand, which Python does not learn. */
export interface Setting extends Controls {
  picked: boolean;
}

/** A step: the values before a change, of the controls that it changed. */
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

  /** Whether a hand is on a control: all that changes under it is one step. */
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

  /** Takes back the last step and returns the values before it; null if there is none, or a hand is on a control. */
  undo(): Partial<Setting> | null {
    return this.isHeld ? null : (this.#steps.pop()?.before ?? null);
  }

  /** Adds a step, unless nothing changed. */
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
