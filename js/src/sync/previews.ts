// Keeps the frames to draw. A frame has the limits and figures of an evaluation at one alpha and one
// threshold. The page computes frames if there is no kernel, or until the kernel answers.

import { isSameValue } from "../base/equal.ts";
import type { Evaluation, Frame } from "../evaluation/types.ts";
import type { Source } from "../shown/picture.ts";
import type { State } from "../wire/controls.ts";
import type { Answer } from "../wire/messages.ts";
import { frameFor } from "./settable.ts";

/** The frames to draw, and whether kernel or page computed them. */
export interface Drawn {
  frames: Frame[];
  /** Whether the frames are of an earlier setting, because the page cannot compute those of the current one. */
  waiting: boolean;
  source: Source;
}

interface Setting {
  entries: Evaluation[];
  answer: Answer;
  wanted: State;
  /** Index of the selected evaluation. */
  shown: number;
  isStatic: boolean;
  /** Whether no kernel answers. */
  isAlone: boolean;
}

/** The frames to draw: those of the kernel's last answer, or those that the page computes until the kernel answers. */
export class Previews {
  /** The frames of the setting `wanted`. A frame is null if the page cannot compute it. */
  #computed: { wanted: State; entries: Evaluation[]; frames: (Frame | null)[] } | null = null;

  /** The newest frames, whether of the kernel or of the page. */
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

  /**
   * Returns the kernel's answer. A frame that equals the drawn one is replaced by the drawn object itself, so that
   * nothing is drawn again.
   */
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

  /**
   * Forgets which frames the page could not compute. A new message may have brought the data that the page
   * lacked.
   */
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
