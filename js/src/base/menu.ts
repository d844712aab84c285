// Makes a menu: a button that opens a panel of buttons.

import { html, listen } from "./dom.ts";
import { insideView, placeBelow } from "./place.ts";

const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Makes a menu from a button and the panel that the button opens. The panel is a popover: the browser closes it if the
 * user presses elsewhere. The Escape key closes it too, and returns the focus to the button.
 */
export function createMenu(button: HTMLButtonElement, panel: HTMLElement, signal: AbortSignal) {
  const element = html("div", { class: "crw-menu" }, button, panel);
  panel.popover = "auto";
  // This property tells the browser that the button belongs to the panel. Otherwise a press on the button
  // would count as one outside the panel. It would close the menu before the button toggles it.
  button.popoverTargetElement = panel;
  button.setAttribute("aria-expanded", "false");

  const isOpen = () => button.getAttribute("aria-expanded") === "true";
  const isItem = (button: HTMLButtonElement) =>
    button.closest("[hidden]") === null && button.closest(".crw-panel") === panel;
  const items = () => [...panel.querySelectorAll("button")].filter(isItem);
  /** Returns the button of the menu around this one. Undefined if there is none. */
  const outer = () =>
    element.parentElement?.closest(".crw-panel")?.previousElementSibling as
      | HTMLButtonElement
      | null
      | undefined;
  const place = () => isOpen() && placeBelow(button, panel, insideView(element));
  /** Places the panel. If this menu is inside another one, the other's panel is placed first. */
  const follow = () => (outer() ? requestAnimationFrame(place) : place());

  /**
   * Opens the menu and focuses the first of the buttons that `first` returns. If this menu is inside another one, the
   * other is opened first.
   */
  function open(first = items) {
    const opener = outer();
    if (opener?.getAttribute("aria-expanded") === "false") opener.click();
    panel.showPopover();
    place();
    first()[0]?.focus();
  }

  /** Closes the menu and, after a choice, the menu around it. */
  function close() {
    if (!isOpen()) return;
    const opener = outer() ?? button;
    (opener.popoverTargetElement as HTMLElement).hidePopover();
    opener.focus();
  }

  listen(panel, "beforetoggle", signal, ({ newState }) => {
    button.setAttribute("aria-expanded", String(newState === "open"));
  });
  listen(button, "click", signal, (event) => {
    // By default the browser opens the panel at once. `open` gives the panel its place first.
    event.preventDefault();
    if (isOpen()) panel.hidePopover();
    else open();
  });
  listen(element, "keydown", signal, (event) => {
    if (!isOpen()) return;
    const list = items();
    const at = list.indexOf(event.target as HTMLButtonElement);
    if (event.key === "Escape") {
      panel.hidePopover();
      button.focus();
    } else if (Object.hasOwn(MOVES, event.key) && list.length > 0) {
      list[MOVES[event.key](at, list.length)].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  listen(element, "focusout", signal, ({ relatedTarget }) => {
    const isLeft = relatedTarget instanceof Node && !element.contains(relatedTarget);
    if (isLeft && isOpen()) panel.hidePopover();
  });
  document.addEventListener("scroll", follow, { capture: true, signal });
  listen(window, "resize", signal, follow);
  return { element, open, close };
}
