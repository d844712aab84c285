// Observes the widths of elements.

import { listen } from "./dom.ts";

/**
 * Calls `changed` with the widths of all elements if one of them changes, and before the page is printed. A hidden
 * element has width 0.
 */
export function watchWidth(
  elements: HTMLElement[],
  changed: (widths: number[]) => void,
  signal: AbortSignal,
) {
  let known = "";
  const read = () => {
    const widths = elements.map(({ clientWidth }) => clientWidth);
    if (widths.join() === known) return;
    known = widths.join();
    changed(widths);
  };
  const observer = new ResizeObserver(read);
  // Printing changes the widths, but browsers do not call a ResizeObserver then.
  listen(window, "beforeprint", signal, read);
  for (const element of elements) observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}
