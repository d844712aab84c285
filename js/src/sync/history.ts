// History of the reader's settings, for undo: a drag is one step.

import { isSameValue } from "../base/equal.ts";
import type { Controls } from "../wire/controls.ts";

/** What a reader can take back; whether the threshold was picked by hand is nothing that Python is told. */
export interface Setting extends Controls {
  picked: boolean;
}

/** The values before a change, of those that it has changed. */
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

  /** A hand is on a control: what changes until it is taken off is one step. */
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

  /** Takes the last step off, and says which values it had changed; null where there is none, or under a hand. */
  undo(): Partial<Setting> | null {
    return this.isHeld ? null : (this.#steps.pop()?.before ?? null);
  }

  /** A change that changed nothing is no step. */
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
