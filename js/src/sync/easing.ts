// Easing: the time in which controls that have jumped are seen going to their places.

import type { Clock } from "./backpressure.ts";

/** A little longer than the page takes to ease. */
const EASING_MS = 200;

export type Easing = ReturnType<typeof createEasing>;

/** Tells for a moment that controls have jumped, so that they are seen moving. */
export function createEasing(clock: Clock, onEnd: () => void) {
  let timer: number | null = null;

  function stop() {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
  }

  return {
    isOn: () => timer !== null,
    start() {
      stop();
      timer = clock.setTimeout(() => {
        timer = null;
        onEnd();
      }, EASING_MS);
    },
    stop,
  };
}
