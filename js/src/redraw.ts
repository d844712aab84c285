// When parts are drawn: lines and the answer in the next frame, other words as fast as one can read; out of sight,
// all once nothing moves.

import { listen } from "./base/dom.ts";
import type { Width } from "./base/width.ts";
import type { Component, Picture } from "./shown/picture.ts";

const READING_PACE_MS = 100;
const REST_MS = 500;

/** Calls `drawNow` when something has changed. */
export function createRedraw(root: HTMLElement, drawNow: () => void, signal: AbortSignal) {
  let scheduled = 0;
  let late: number | undefined;
  let isResized = true;
  let isNear = true;
  let isStale = false;

  function schedule() {
    if (scheduled !== 0) return;
    scheduled = requestAnimationFrame(drawNewest);
    // The kernel's answers to a drag come between two frames.
    if (root.querySelector(".crw-dragging")) window.setTimeout(drawAhead);
  }

  /** Draws and lays out what has changed while the next frame is awaited, which then only paints. */
  function drawAhead() {
    if (scheduled === 0 || signal.aborted) return;
    cancelAnimationFrame(scheduled);
    drawNewest();
    root.getBoundingClientRect();
  }

  /**
   * Out of sight nothing is drawn while anything moves; one drawing afterwards brings it up to date, for searches,
   * screen readers and scripts. A change of size is drawn at once, because it moves what lies below, and so are keys.
   */
  function drawNewest() {
    scheduled = 0;
    clearTimeout(late);
    isStale = !(isNear || isResized || root.matches(":focus-within"));
    if (isStale) late = window.setTimeout(draw, REST_MS);
    else draw();
  }

  function draw() {
    isStale = false;
    drawNow();
  }

  const sighting = new IntersectionObserver(
    (changes) => {
      isNear = changes[changes.length - 1].isIntersecting;
      if (isStale) schedule();
    },
    // A chart within a screen's distance counts as seen, so that it is drawn before one scrolls to it.
    { rootMargin: "100%", scrollMargin: "100%" },
  );
  sighting.observe(root);
  listen(window, "beforeprint", signal, draw);
  // Some browsers tell of a move before its frame begins (base/grip.ts).
  listen(root, "pointerrawupdate", signal, drawAhead);
  signal.addEventListener("abort", () => {
    sighting.disconnect();
    cancelAnimationFrame(scheduled);
    clearTimeout(late);
  });
  return {
    schedule,
    resize() {
      isResized = true;
      schedule();
    },
    /** Whether the size has changed since the last call. */
    wasResized() {
      const was = isResized;
      isResized = false;
      return was;
    },
  };
}

/** Draws words and tables: at once, or a few times a second while a hand moves something, which leaves the frames to the plot. */
export function createReading(root: HTMLElement, texts: Component[], signal: AbortSignal) {
  let following: number | null = null;
  let drawn: [Picture, Width];

  function drawTexts() {
    clearTimeout(following ?? undefined);
    following = null;
    root.removeAttribute("data-words-follow");
    for (const text of texts) text.draw(...drawn);
  }

  function drawTextsBetweenFrames() {
    drawTexts();
    // The texts are laid out now, so that the next frame need not wait for it.
    root.getBoundingClientRect();
  }

  signal.addEventListener("abort", () => clearTimeout(following ?? undefined));
  return {
    draw(picture: Picture, width: Width) {
      drawn = [picture, width];
      if (!picture.held) return drawTexts();
      root.setAttribute("data-words-follow", "");
      following ??= window.setTimeout(drawTextsBetweenFrames, READING_PACE_MS);
    },
  };
}
