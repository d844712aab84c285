// Computes positions on the screen and inside an element, which the host may have scaled.

const GAP = 4;
const MARGIN = 8;

/** Returns how many pixels of the screen one pixel of an element takes. If no host has scaled the element, it is 1. */
export function scaleOf(element: HTMLElement | SVGSVGElement): number {
  const { width } = element.getBoundingClientRect();
  const own = element instanceof SVGSVGElement ? Number(element.getAttribute("width")) : element.offsetWidth;
  return width > 0 && own > 0 ? width / own : 1;
}

/** Returns the position of the pointer inside an element, in the element's own pixels. */
export function placeIn(
  element: HTMLElement | SVGSVGElement,
  { clientX, clientY }: Pick<PointerEvent, "clientX" | "clientY">,
): [x: number, y: number] {
  const { left, top } = element.getBoundingClientRect();
  const scale = scaleOf(element);
  return [(clientX - left) / scale, (clientY - top) / scale];
}

type Sides = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/**
 * Returns the edges of the area in which a menu may open. It is as wide as the visible part of the widget and as high
 * as the window.
 */
export function insideView(element: HTMLElement): Sides {
  const { left, right } = (element.closest(".crw") ?? element).getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  return { left: Math.max(left, 0), top: 0, right: Math.min(right, clientWidth), bottom: clientHeight };
}

/** Moves a box below an element, or above it if there is no room below. The box stays within the edges `around`. */
export function placeBelow(element: HTMLElement, box: HTMLElement, around: Sides) {
  box.style.transform = "none";
  const [at, from, scale] = [element.getBoundingClientRect(), box.getBoundingClientRect(), scaleOf(box)];
  const below = at.bottom + GAP;
  const above = Math.max(at.top - GAP - from.height, around.top);
  const top = below + from.height <= around.bottom ? below : above;
  // If the box is wider than the area, its left edge stays visible.
  const left = Math.max(around.left + MARGIN, Math.min(at.left, around.right - MARGIN - from.width));
  box.style.transform = `translate(${(left - from.left) / scale}px, ${(top - from.top) / scale}px)`;
}
