// Announcements to a screen reader, once things have come to rest.

import { html, setText } from "../base/dom.ts";
import { createTimer } from "../base/timer.ts";
import type { Component } from "../shown/picture.ts";
import { spokenAnswer } from "../views/answer.ts";

const REST_MS = 500;

/** Reads the result out to a screen reader, once it has rested; what is there from the start is not news. */
export function createAnnouncer(signal: AbortSignal): Component {
  const element = html("div", { class: "crw-hidden", "aria-live": "polite" });
  let latest: string | null = null;
  const later = createTimer(signal);
  return {
    element,
    draw(picture) {
      const text = spokenAnswer(picture);
      if (latest !== null && text !== latest) later(() => setText(element, text), REST_MS);
      latest = text;
    },
  };
}
