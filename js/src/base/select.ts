// List to choose from, among texts.

import { html, listen } from "./dom.ts";

/** A list whose choice is told by its index. */
export function createSelect(
  attributes: Record<string, string>,
  texts: readonly string[],
  choose: (index: number) => void,
  signal: AbortSignal,
): HTMLSelectElement {
  const options = texts.map((text, value) => html("option", { value }, text));
  const element = html("select", attributes, ...options);
  listen(element, "change", signal, () => choose(element.selectedIndex));
  return element;
}

/** Which of the choices are there at all, and which can be had now. */
export function offer(select: HTMLSelectElement, isThere: boolean[], isEnabled = isThere) {
  isThere.forEach((each, i) => {
    select.options[i].hidden = !each;
    select.options[i].disabled = !isEnabled[i];
  });
}
