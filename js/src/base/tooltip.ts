// Tooltips: explanations of words in a text.

import { hasFocus, html, setAttributes, uniqueId } from "./dom.ts";
import { placeBelow } from "./place.ts";

/** A word as it stands in a text, and its explanation. */
export interface Term {
  name: string;
  text: string;
}

/** A text with its terms, each of which shows its explanation. */
export const explained = (pieces: (string | Term)[]) =>
  pieces.map((piece) => (typeof piece === "string" ? html("span", {}, piece) : createTerm(piece)));

/** A word with an explanation, which stands in the page while the word is pointed at or has the focus. */
function createTerm({ name, text }: Term): HTMLElement {
  const tip = html("span", { class: "crw-tip crw-box", role: "tooltip", id: uniqueId("crw-tip") }, text);
  const word = html("span", { class: "crw-term", role: "button", tabindex: 0 }, name);
  const element = html("span", {}, word);

  function show() {
    if (tip.isConnected) return;
    element.append(tip);
    setAttributes(word, { "aria-describedby": tip.id });
    placeBelow(word, tip, (element.closest(".crw") ?? element).getBoundingClientRect());
  }

  function hide() {
    tip.remove();
    word.removeAttribute("aria-describedby");
  }

  for (const event of ["focus", "click", "pointerenter"]) word.addEventListener(event, show);
  word.addEventListener("blur", hide);
  // The pointer may go over to the words.
  element.addEventListener("pointerleave", () => {
    if (!hasFocus(word)) hide();
  });
  word.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tip.isConnected) return;
    event.stopPropagation();
    hide();
  });
  return element;
}
