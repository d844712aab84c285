// Easing: the time in which controls that have jumped are seen going to their places.

import type { Clock } from "./backpressure.ts";

/** A little longer than the page takes to ease. */
const EASING_MS = 200;

/** Controls that have jumped are seen going to their places. */
export class Easing {
  #timer: number | null = null;

  readonly #clock: Clock;
  readonly #onEnd: () => void;

  constructor(clock: Clock, onEnd: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  get isOn(): boolean {
    return this.#timer !== null;
  }

  start() {
    this.stop();
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      this.#onEnd();
    }, EASING_MS);
  }

  stop() {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
