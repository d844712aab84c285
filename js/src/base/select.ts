// Drop-down list of texts.

import { html, listen, setReason } from "./dom.ts";

/** A drop-down list; a choice is known by its index. */
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

/** Sets which choices are offered, and why one cannot be chosen now; empty if it can. */
export function offer(select: HTMLSelectElement, isThere: boolean[], why: string[]) {
  isThere.forEach((each, i) => {
    select.options[i].hidden = !each;
    select.options[i].disabled = !each || why[i] !== "";
    setReason(select.options[i], why[i]);
  });
  // The list has the reasons too, for a pointer and a screen reader learn little from an option.
  setReason(select, [...new Set(why)].filter((each) => each !== "").join("; "));
}
