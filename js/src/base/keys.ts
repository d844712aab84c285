// Keyboard: the keys of undo and of fields.

import { listen } from "./dom.ts";

/** Ctrl+Z or Cmd+Z inside an element; in a field where one types it is the browser's. The notebook has its own undo on it. */
export function onUndo(element: HTMLElement, undo: () => void, signal: AbortSignal) {
  const listener = (event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!isUndo || event.key.toLowerCase() !== "z") return;
    if (event.target instanceof HTMLInputElement && TYPED.has(event.target.type)) return;
    event.stopPropagation();
    event.preventDefault();
    undo();
  };
  element.addEventListener("keydown", listener, { signal, capture: true });
}

/** Keys of lists, choices and ranges are their own: nothing around them, no menu and no notebook, hears of them. */
export function keepKeys(root: HTMLElement, signal: AbortSignal) {
  listen(root, "keydown", signal, (event) => {
    if ((event.target as Element).matches("select, [type=radio], [type=range]"))
      event.stopImmediatePropagation();
  });
}

const TYPED = new Set(["text", "number", "search"]);
