// Watches the widths of elements.

/** Calls back with the widths of elements whenever one changes; that of a hidden element is 0. */
export function watchWidth(
  elements: HTMLElement[],
  changed: (widths: number[]) => void,
  signal: AbortSignal,
) {
  let known = "";
  const observer = new ResizeObserver(() => {
    const widths = elements.map(({ clientWidth }) => clientWidth);
    if (widths.join() === known) return;
    known = widths.join();
    changed(widths);
  });
  for (const element of elements) observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}
