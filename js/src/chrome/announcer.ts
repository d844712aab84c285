// Announcements to a screen reader, once nothing moves any more.

import { html, setText } from "../base/dom.ts";
import { createTimer } from "../base/timer.ts";
import type { Component } from "../shown/picture.ts";
import { announced } from "../views/answer.ts";

const REST_MS = 500;

/** Announces the answer to a screen reader once it has stopped changing; the first one is not announced. */
export function createAnnouncer(signal: AbortSignal): Component {
  const element = html("div", { class: "crw-hidden", "aria-live": "polite" });
  let latest: string | null = null;
  const later = createTimer(signal);
  return {
    element,
    draw(picture) {
      const text = announced(picture);
      if (latest !== null && text !== latest) later(() => setText(element, text), REST_MS);
      latest = text;
    },
  };
}
