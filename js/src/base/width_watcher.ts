// Watches the widths of elements.

import { listen } from "./dom.ts";

/** Calls back with the widths of elements whenever one changes, and before printing; a hidden element has width 0. */
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
  // An observer is not called between the layout for paper and the printing.
  listen(window, "beforeprint", signal, read);
  for (const element of elements) observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}
