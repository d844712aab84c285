// Decides when components are drawn. Lines and the main sentence are drawn in the next frame. During a drag,
// other texts are drawn only a few times a second. If the chart is out of sight, nothing is drawn until the
// drag ends.

import { listen } from "./base/dom.ts";
import type { Width } from "./base/width.ts";
import type { Component, Picture } from "./shown/picture.ts";

const READING_PACE_MS = 100;
const REST_MS = 500;

/**
 * Makes `schedule`, which asks for a drawing. `drawNow` runs once in the next frame, or later if the chart is out of
 * sight.
 */
export function createRedraw(root: HTMLElement, drawNow: () => void, signal: AbortSignal) {
  let scheduled = 0;
  let late: number | undefined;
  let isResized = true;
  let isNear = true;
  let isStale = false;

  function schedule() {
    if (scheduled !== 0) return;
    scheduled = requestAnimationFrame(drawNewest);
    // During a drag, the kernel's answer may arrive between two frames. It is then drawn at once, so that the
    // next frame only has to paint it.
    if (root.querySelector(".crw-dragging")) window.setTimeout(drawAhead);
  }

  /** Draws and lays out changes before the next frame, which then only has to paint them. */
  function drawAhead() {
    if (scheduled === 0 || signal.aborted) return;
    cancelAnimationFrame(scheduled);
    drawNewest();
    root.getBoundingClientRect();
  }

  /**
   * If the chart is out of sight, nothing is drawn while something moves. One drawing afterwards updates the page for
   * searches, screen readers and scripts. A change by keys or of the size is drawn at once. The size matters because it
   * moves the content below.
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
    // A chart up to one screen away counts as visible, so that it is drawn before the user scrolls to it.
    { rootMargin: "100%", scrollMargin: "100%" },
  );
  sighting.observe(root);
  listen(window, "beforeprint", signal, draw);
  // Some browsers report a move of the pointer before the next frame begins. Drawing can then begin earlier.
  // See base/grip.ts.
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

/** Draws texts and tables at once. During a drag it draws them a few times a second, which leaves time for the plot. */
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
    // Reading the size forces the browser to lay out the texts now, between two frames.
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
