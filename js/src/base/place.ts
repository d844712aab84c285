// Places on the screen, and in an element that a host has scaled.

const GAP = 4;
const MARGIN = 8;

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

type Sides = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/** What can be seen of the widget that an element stands in, and all that is above and below it. */
export function insideView(element: HTMLElement): Sides {
  const { left, right } = (element.closest(".crw") ?? element).getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  return { left: Math.max(left, 0), top: 0, right: Math.min(right, clientWidth), bottom: clientHeight };
}

/** Moves a box below an element, or above it where there is no room below, inside what is around them. */
export function placeBelow(element: HTMLElement, box: HTMLElement, around: Sides) {
  box.style.transform = "none";
  const [at, from, scale] = [element.getBoundingClientRect(), box.getBoundingClientRect(), scaleOf(box)];
  const below = at.bottom + GAP;
  const above = Math.max(at.top - GAP - from.height, around.top);
  const top = below + from.height <= around.bottom ? below : above;
  // Where there is room for its left edge alone, that is seen.
  const left = Math.max(around.left + MARGIN, Math.min(at.left, around.right - MARGIN - from.width));
  box.style.transform = `translate(${(left - from.left) / scale}px, ${(top - from.top) / scale}px)`;
}
