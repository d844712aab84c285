// Copies texts to the clipboard.

import { createTimer } from "./timer.ts";

const COPIED_MS = 2000;

/**
 * Makes a function that copies a text. `state.done` is the name of the text that has just been copied. If the
 * page may not use the clipboard, `state.refused` is the text that the user has to copy by hand.
 */
export function createCopier(redraw: () => void, signal: AbortSignal) {
  const later = createTimer(signal);
  const state = { done: "", refused: "" };
  const set = (done: string, refused = "") => {
    Object.assign(state, { done, refused });
    redraw();
  };
  return {
    state,
    set,
    async copy(name: string, text: string) {
      const isCopied = await isWritten(text);
      if (signal.aborted) return;
      set(isCopied ? name : "", isCopied ? "" : text);
      if (isCopied) later(() => set(""), COPIED_MS);
    },
  };
}

async function isWritten(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
