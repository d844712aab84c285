// Full screen or, where the host forbids it, a popover over the whole page.

import { listen, treeOf } from "./dom.ts";

const OVERLAY = "crw-overlay";

/**
 * The root alone on the whole screen or, where the browser or the host forbids it, on the whole page: as a popover,
 * since hosts have elements around us that even a fixed place is counted from.
 */
export function createFullScreen(root: HTMLElement, changed: () => void, signal: AbortSignal) {
  const isOverlay = () => root.classList.contains(OVERLAY);
  const isReal = () => treeOf(root).fullscreenElement === root;

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
    /** Why there is none: a frame that may not fill the screen would fill itself, which the reader sees already. */
    refusal: () =>
      document.fullscreenEnabled === false ? "The page around this frame allows no full screen" : "",
    isOn: () => isReal() || isOverlay(),
    toggle() {
      if (isReal()) document.exitFullscreen();
      else if (isOverlay()) setOverlay(false);
      else enter();
    },
  };
}

export type FullScreen = ReturnType<typeof createFullScreen>;
