// Places on the screen, and in an element that a host has scaled.

const GAP = 4;
const MARGIN = 8;

/** How many pixels of the screen one of an element's own pixels takes. */
export function scaleOf(element: HTMLElement | SVGSVGElement): number {
  const { width } = element.getBoundingClientRect();
  const own = element instanceof SVGSVGElement ? Number(element.getAttribute("width")) : element.offsetWidth;
  return width > 0 && own > 0 ? width / own : 1;
}

/** The place of the pointer in an element, in the element's own pixels. */
export function placeIn(
  element: HTMLElement | SVGSVGElement,
  { clientX, clientY }: Pick<PointerEvent, "clientX" | "clientY">,
): [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return [(clientX - left) / scale, (clientY - top) / scale];
}

type Sides = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/** The part of the window in which a menu may open: as wide as what is seen of the widget, and as high as the window. */
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
  // If there is not room for all of it, its left edge is seen.
  const left = Math.max(around.left + MARGIN, Math.min(at.left, around.right - MARGIN - from.width));
  box.style.transform = `translate(${(left - from.left) / scale}px, ${(top - from.top) / scale}px)`;
}
