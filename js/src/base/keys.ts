// Decides which keys the widget uses, and which ones reach the notebook around it.

import { listen } from "./dom.ts";

const TYPED = new Set(["text", "number", "search"]);
const isTyped = (target: EventTarget | null) => target instanceof HTMLInputElement && TYPED.has(target.type);

/**
 * Keys that move or press a control, or delete in a text field. The notebook would use them to move among its cells.
 */
const NAMED = new Set(["Home", "End", "PageUp", "PageDown", "Delete", "Backspace"]);
/** Letters that are commands in a text field if Ctrl or Cmd is held. */
const OF_FIELDS = new Set(["a", "c", "v", "x", "y", "z"]);

// Whether Ctrl, Cmd or Alt is held. AltGr only types other letters, but some systems report it as Ctrl and
// Alt. So it is excluded.
const isChord = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");

/**
 * Whether the event of a key stays in the widget, because the notebook would misunderstand it. Chords of the notebook,
 * such as Ctrl+S, reach the notebook.
 */
function isOurs(event: KeyboardEvent): boolean {
  const { key } = event;
  const [target] = event.composedPath();
  const isMove = key.startsWith("Arrow") || NAMED.has(key);
  if (isMove && isTyped(target)) return true;
  if (isChord(event)) return !event.altKey && (isTyped(target) ? OF_FIELDS : UNDO).has(key.toLowerCase());
  if (key === "Enter") return !event.shiftKey;
  return isMove || [...key].length === 1 || (key === "Escape" && hasOwnKeys(target));
}

const UNDO = new Set(["z"]);

/**
 * Whether an element uses keys itself, such as a list, a radio button or a range. The keys of the menu and of full
 * screen are then ignored.
 */
const hasOwnKeys = (target: EventTarget) =>
  target instanceof Element && target.matches("select, [type=radio], [type=range]");

/**
 * Calls `undo` at Ctrl+Z or Cmd+Z inside an element, and hides the key from the notebook. In a text field the browser
 * handles the key.
 */
export function onUndo(element: HTMLElement, undo: () => void, signal: AbortSignal) {
  const listener = (event: KeyboardEvent) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!isUndo || event.key.toLowerCase() !== "z" || isTyped(event.target)) return;
    event.stopPropagation();
    event.preventDefault();
    undo();
  };
  element.addEventListener("keydown", listener, { signal, capture: true });
}

/** On an element with this attribute, Lumino (the toolkit of JupyterLab) ignores keys, also for its descendants. */
const SUPPRESS = "data-lm-suppress-shortcuts";

/** Stops the keys that the widget uses at its root. All other keys reach the notebook. */
export function keepKeys(root: HTMLElement, signal: AbortSignal) {
  // Some hosts handle the event before it reaches the root. So the attribute that tells hosts to ignore the
  // event is set in the capture phase.
  const mark = (event: KeyboardEvent) => {
    const [target] = event.composedPath();
    if (target instanceof Element && root.contains(target)) target.toggleAttribute(SUPPRESS, isOurs(event));
  };
  window.addEventListener("keydown", mark, { signal, capture: true });
  listen(root, "keydown", signal, (event) => {
    if (!isOurs(event)) return;
    if (hasOwnKeys(event.target as Element)) event.stopImmediatePropagation();
    else event.stopPropagation();
  });
}
