// List to choose from, among texts.

import { html, listen, setReason } from "./dom.ts";

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

/** Which of the choices are there at all, and why one cannot be had now: empty where it can. */
export function offer(select: HTMLSelectElement, isThere: boolean[], why: string[]) {
  isThere.forEach((each, i) => {
    select.options[i].hidden = !each;
    select.options[i].disabled = !each || why[i] !== "";
    setReason(select.options[i], why[i]);
  });
  // An option tells a pointer and a screen reader little: the list says it too.
  setReason(select, [...new Set(why)].filter((each) => each !== "").join("; "));
}
