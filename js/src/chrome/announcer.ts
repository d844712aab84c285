// Announcements to a screen reader, once things have come to rest.

import { html, setText } from "../base/dom.ts";
import type { Component } from "../sync/view_model.ts";
import { spokenAnswer } from "../views/answer.ts";

const REST_MS = 500;

/** Reads the result out to a screen reader, once it has rested; what is there from the start is not news. */
export function createAnnouncer(signal: AbortSignal): Component {
  const element = html("div", { class: "crw-hidden", "aria-live": "polite" });
  let latest: string | null = null;
  let timer = 0;
  signal.addEventListener("abort", () => clearTimeout(timer));
  return {
    element,
    draw(picture) {
      const text = spokenAnswer(picture);
      const isFirst = latest === null;
      if (text === latest) return;
      latest = text;
      if (isFirst) return;
      clearTimeout(timer);
      timer = window.setTimeout(() => setText(element, text), REST_MS);
    },
  };
}
