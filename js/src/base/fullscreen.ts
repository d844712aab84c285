// Shows the widget in full screen. If the browser or the host forbids this, shows it as a popover that fills the page.

import { listen, treeOf } from "./dom.ts";

const OVERLAY = "crw-overlay";

/**
 * Makes the function that turns full screen on and off. If full screen is forbidden, the widget fills the
 * page as a popover. `position: fixed` is not used, because it can be relative to an element of the host
 * instead of the window.
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
    /**
     * Returns why full screen is not offered, or an empty text if it is offered. If the page around a frame
     * forbids full screen, it is not offered. A popover would bring nothing there, because the widget already
     * fills the frame.
     */
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
