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
