// Keyboard: which keys are the widget's, and which go on to the notebook around it.

import { listen } from "./dom.ts";

const TYPED = new Set(["text", "number", "search"]);
const isTyped = (target: EventTarget | null) => target instanceof HTMLInputElement && TYPED.has(target.type);

/** Keys with a name that move a control, press it, or delete in a field; a notebook moves among its cells by them. */
const NAMED = new Set(["Home", "End", "PageUp", "PageDown", "Delete", "Backspace"]);
/** Letters that, with Ctrl or Cmd, do something in a field in which one types. */
const OF_FIELDS = new Set(["a", "c", "v", "x", "y", "z"]);

// Whether Ctrl, Cmd or Alt is held; AltGr, which some systems report as Ctrl and Alt, only makes another letter.
const isChord = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");

/** Whether a key is kept from the notebook, which would misread it; its own chords, as Ctrl+S, go on to it. */
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

/** Whether an element uses keys by itself, as lists, choices and ranges do: menu and full screen then ignore them. */
const hasOwnKeys = (target: EventTarget) =>
  target instanceof Element && target.matches("select, [type=radio], [type=range]");

/** Ctrl+Z or Cmd+Z inside an element; in a field where one types it is the browser's. The notebook has its own undo on it. */
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

/** The attribute by which Lumino, the base of JupyterLab, leaves keys to the element that has it and to those inside. */
const SUPPRESS = "data-lm-suppress-shortcuts";

/** Keys that the widget uses stop at its root; the others go on to the notebook. */
export function keepKeys(root: HTMLElement, signal: AbortSignal) {
  // The mark is set while the event is captured, since a host may listen before the keys come here.
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
