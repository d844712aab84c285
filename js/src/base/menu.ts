// Menu: a button with a panel of further buttons.

import { html, listen } from "./dom.ts";

const MOVES: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A button that opens a panel of buttons, in an element that stays where it is. Escape closes it and gives the focus back; so does a press elsewhere. */
export function createMenu(button: HTMLButtonElement, panel: HTMLElement, signal: AbortSignal) {
  const element = html("div", { class: "crw-menu" }, button, panel);
  button.setAttribute("aria-controls", panel.id);
  setOpen(false);

  const items = () =>
    [...panel.querySelectorAll("button")].filter((item) => item.closest("[hidden]") === null);

  function setOpen(open: boolean) {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  }

  /** Opens it and gives the focus to one of its buttons; a menu that it stands in is opened first. */
  function open(first = items) {
    const outer = element.parentElement?.closest<HTMLElement>(".crw-panel");
    if (outer?.hidden) (outer.previousElementSibling as HTMLElement).click();
    setOpen(true);
    first()[0]?.focus();
  }

  listen(button, "click", signal, () => (panel.hidden ? open() : setOpen(false)));
  listen(element, "keydown", signal, (event) => {
    if (panel.hidden) return;
    const list = items();
    const at = list.indexOf(event.target as HTMLButtonElement);
    if (event.key === "Escape") {
      setOpen(false);
      button.focus();
    } else if (Object.hasOwn(MOVES, event.key) && list.length > 0) {
      list[MOVES[event.key](at, list.length)].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  listen(document, "pointerdown", signal, (event) => {
    if (!element.contains(event.target as Node)) setOpen(false);
  });
  listen(element, "focusout", signal, ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !element.contains(relatedTarget)) setOpen(false);
  });
  return { element, open, close: () => setOpen(false) };
}
