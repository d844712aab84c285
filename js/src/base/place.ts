// Places on the screen, and in an element that a host has scaled.

/** Pixels of the screen for one of an element's own. */
export function scaleOf(element: HTMLElement | SVGSVGElement): number {
  const { width } = element.getBoundingClientRect();
  const own = element instanceof SVGSVGElement ? Number(element.getAttribute("width")) : element.offsetWidth;
  return width > 0 && own > 0 ? width / own : 1;
}

/** Where in an element, in its own pixels, the pointer is. */
export function placeIn(
  element: HTMLElement | SVGSVGElement,
  { clientX, clientY }: Pick<PointerEvent, "clientX" | "clientY">,
): [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return [(clientX - left) / scale, (clientY - top) / scale];
}
