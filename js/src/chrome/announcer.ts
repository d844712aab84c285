// Tells screen readers the main sentence of the page after it has changed.

import { html, setText } from "../base/dom.ts";
import { createTimer } from "../base/timer.ts";
import type { Component } from "../shown/picture.ts";
import { announced } from "../views/answer.ts";

const REST_MS = 500;

/**
 * Makes the element whose text screen readers announce. If the main sentence has not changed for a short
 * time, the element takes it. The first sentence is not announced.
 */
export function createAnnouncer(signal: AbortSignal): Component {
  const element = html("div", { class: "crw-hidden", "aria-live": "polite" });
  let latest: string | null = null;
  let wasHeld = false;
  const later = createTimer(signal);
  return {
    element,
    draw(picture) {
      const text = announced(picture);
      // On a slow machine, a drag may pause longer than `REST_MS`. So nothing is announced while the user
      // holds a slider.
      if (latest !== null && (text !== latest || wasHeld))
        later(() => {
          if (!picture.held) setText(element, text);
        }, REST_MS);
      latest = text;
      wasHeld = picture.held;
    },
  };
}
