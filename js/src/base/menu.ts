// Menu: a button with a panel of further buttons.

import { html, listen } from "./dom.ts";
import { insideView, placeBelow } from "./place.ts";

const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A button that opens a panel of buttons over the page, in an element that stays where it is: a popover, which the browser
 * closes at a press elsewhere. Escape closes it too, and gives the focus back.
 */
export function createMenu(button: HTMLButtonElement, panel: HTMLElement, signal: AbortSignal) {
  const element = html("div", { class: "crw-menu" }, button, panel);
  panel.popover = "auto";
  // A press on the button must not count as one elsewhere, for that would close the menu first.
  button.popoverTargetElement = panel;
  button.setAttribute("aria-expanded", "false");

  const isOpen = () => button.getAttribute("aria-expanded") === "true";
  const isItem = (button: HTMLButtonElement) =>
    button.closest("[hidden]") === null && button.closest(".crw-panel") === panel;
  const items = () => [...panel.querySelectorAll("button")].filter(isItem);
  /** The button of the outer menu, if this menu is inside of one. */
  const outer = () =>
    element.parentElement?.closest(".crw-panel")?.previousElementSibling as
      | HTMLButtonElement
      | null
      | undefined;
  const place = () => isOpen() && placeBelow(button, panel, insideView(element));
  /** Places the panel, after an outer menu's panel has been placed. */
  const follow = () => (outer() ? requestAnimationFrame(place) : place());

  /** Opens it and gives the focus to one of its buttons; a menu that it stands in is opened first. */
  function open(first = items) {
    const opener = outer();
    if (opener?.getAttribute("aria-expanded") === "false") opener.click();
    panel.showPopover();
    place();
    first()[0]?.focus();
  }

  /** Closes it when something was chosen, with a menu that it stands in. */
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
    // The browser would open it before it has its place.
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
