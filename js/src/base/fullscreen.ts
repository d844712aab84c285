// Full screen or, where the host forbids it, a popover over the whole page.

import { listen } from "./dom.ts";

const OVERLAY = "crw-overlay";

/**
 * The root alone on the whole screen or, where the browser or the host forbids it, on the whole page: as a popover,
 * since hosts have elements around us that even a fixed place is counted from.
 */
export function createFullScreen(root: HTMLElement, changed: () => void, signal: AbortSignal) {
  const isOverlay = () => root.classList.contains(OVERLAY);
  const isReal = () => document.fullscreenElement === root;

  function setOverlay(on: boolean) {
    root.classList.toggle(OVERLAY, on);
    root.popover = on ? "manual" : null;
    if (on) root.showPopover();
    changed();
  }

  async function enter() {
    try {
      await root.requestFullscreen();
    } catch {
      setOverlay(true);
    }
  }

  listen(document, "fullscreenchange", signal, changed);
  listen(root, "keydown", signal, (event) => {
    if (event.key === "Escape" && isOverlay()) setOverlay(false);
  });
  signal.addEventListener("abort", () => isReal() && document.exitFullscreen());

  return {
    isOn: () => isReal() || isOverlay(),
    toggle() {
      if (isReal()) document.exitFullscreen();
      else if (isOverlay()) setOverlay(false);
      else enter();
    },
  };
}

export type FullScreen = ReturnType<typeof createFullScreen>;
