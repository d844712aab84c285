// Frames that the page computes ahead of the kernel, or without one.

import { isSameValue } from "../base/equal.ts";
import type { Evaluation, Frame } from "../evaluation/types.ts";
import type { Source } from "../shown/picture.ts";
import type { State } from "../wire/controls.ts";
import type { Answer } from "../wire/messages.ts";
import { frameFor } from "./settable.ts";

/** The frames to draw, and who computed them. */
export interface Drawn {
  frames: Frame[];
  /** Whether the frames are older ones, since the page cannot compute the setting. */
  waiting: boolean;
  source: Source;
}

interface Setting {
  entries: Evaluation[];
  answer: Answer;
  wanted: State;
  /** The entry looked at. */
  shown: number;
  isStatic: boolean;
  /** Whether no kernel answers. */
  isAlone: boolean;
}

/** The frames that are drawn: the kernel's last ones, or those that the page computes ahead of it. */
export class Previews {
  /** Frames of the setting `wanted`; null for an entry that the page cannot compute. */
  #computed: { wanted: State; entries: Evaluation[]; frames: (Frame | null)[] } | null = null;

  /** The newest frames of the kernel or of the page. */
  #newest: Frame[];

  constructor(newest: Frame[]) {
    this.#newest = newest;
  }

  ofKernel({ frames }: Answer): Drawn {
    this.#newest = frames;
    return { frames, waiting: false, source: "kernel" };
  }

  ofPage({ shown, isStatic, isAlone, ...setting }: Setting): Drawn {
    const frames = this.#compute(setting);
    const waiting = isStatic ? frames[shown] === null : frames.includes(null);
    if (!waiting) this.#newest = frames.map((frame, i) => frame ?? this.#newest[i]);
    const source: Source = isStatic || (isAlone && !waiting) ? "static" : "preview";
    return { frames: this.#newest, waiting, source };
  }

  /** The kernel's answer; if it equals what is drawn, with the very frames that are drawn, so that nothing is drawn again. */
  confirmed(answer: Answer): Answer {
    const drawn = this.#computed?.frames ?? [];
    const frames = answer.frames.map((frame, i) => {
      const known = drawn[i];
      return known && isSameValue(frame, known) ? known : frame;
    });
    this.#newest = frames;
    return { ...answer, frames };
  }

  forget() {
    this.#computed = null;
  }

  /** Forgets which frames the page could not compute: an answer may have brought what was missing. */
  forgetUncomputed() {
    if (this.#computed?.frames.includes(null)) this.#computed = null;
  }

  #compute({ entries, answer, wanted }: Pick<Setting, "entries" | "answer" | "wanted">): (Frame | null)[] {
    if (this.#computed?.wanted !== wanted || this.#computed.entries !== entries) {
      this.#computed = {
        wanted,
        entries,
        frames: entries.map((entry, i) => frameFor(entry, answer.frames[i], wanted)),
      };
    }
    return this.#computed.frames;
  }
}
