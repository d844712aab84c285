// Shows explanations of words in a text as tooltips.

import { createChanges } from "./changes.ts";
import { hasFocus, html, setAttributes, uniqueId } from "./dom.ts";
import { placeBelow } from "./place.ts";

/** A word in a text, and its explanation. */
export interface Term {
  name: string;
  text: string;
}

/**
 * Makes a function that returns the elements of a text. A piece that is a term shows its explanation if the user points
 * at it or focuses it. As long as the text stays the same, so do its elements.
 */
export function createExplained() {
  const isNews = createChanges();
  let made: HTMLElement[] = [];
  return (pieces: (string | Term)[]) => {
    if (isNews(pieces.length, ...pieces))
      made = pieces.map((piece) => (typeof piece === "string" ? html("span", {}, piece) : createTerm(piece)));
    return made;
  };
}

/**
 * Makes the element of a word with an explanation. The explanation is on the page only while the word has the pointer
 * or the focus. It is made when it is first shown, because a text is written anew at each step of a slider.
 */
function createTerm({ name, text }: Term): HTMLElement {
  let tip: HTMLElement | undefined;
  const word = html("span", { class: "crw-term", role: "button", tabindex: 0 }, name);
  const element = html("span", {}, word);

  function show() {
    if (tip?.isConnected) return;
    tip ??= html("span", { class: "crw-tip crw-box", role: "tooltip", id: uniqueId("crw-tip") }, text);
    element.append(tip);
    setAttributes(word, { "aria-describedby": tip.id });
    placeBelow(word, tip, (element.closest(".crw") ?? element).getBoundingClientRect());
  }

  function hide() {
    tip?.remove();
    word.removeAttribute("aria-describedby");
  }

  for (const event of ["focus", "click", "pointerenter"]) word.addEventListener(event, show);
  word.addEventListener("blur", hide);
  // The tooltip is a child of `element`. So the user can move the pointer onto it without leaving `element`.
  element.addEventListener("pointerleave", () => {
    if (!hasFocus(word)) hide();
  });
  word.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tip?.isConnected) return;
    event.stopPropagation();
    hide();
  });
  return element;
}
