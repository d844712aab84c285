// Tells when to animate controls: for a short time after they jump.

import type { Clock } from "./backpressure.ts";

/** Time in milliseconds, a little longer than the animation in the style sheet. */
const EASING_MS = 200;

export type Easing = ReturnType<typeof createEasing>;

/** Makes a timer that is on for a short time after a jump. It calls `onEnd` at the end. */
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
