// Drags with a pointer, from the press to the release.

export interface DragHandlers {
  start(): void;
  /** Also called for the press itself. */
  move(event: PointerEvent): void;
  end(): void;
}

/** Pixels after which a finger drags. */
const SLOP = 4;

/**
 * Press, drag and release by mouse, touch or pen; the pointer stays with the element until it is let go. On a pannable
 * element, whose style has `touch-action: pan-y`, a vertical swipe scrolls the page and sets nothing.
 */
export function draggable(
  element: HTMLElement | SVGElement,
  handlers: DragHandlers,
  signal: AbortSignal,
  isPannable = false,
) {
  let pointer: number | null = null;
  /** A finger that may be about to scroll. */
  let pending: PointerEvent | null = null;

  function begin(event: PointerEvent) {
    pending = null;
    pointer = event.pointerId;
    element.setPointerCapture(pointer);
    element.classList.add("crw-dragging");
    handlers.start();
    handlers.move(event);
  }

  function end() {
    pending = null;
    if (pointer === null) return;
    pointer = null;
    element.classList.remove("crw-dragging");
    handlers.end();
  }

  const on = (type: string, listener: (event: PointerEvent) => void) =>
    element.addEventListener(type, listener as EventListener, { signal });

  // Where touch-action has no say, as on the parts of an SVG, the page would scroll and end the drag.
  if (!isPannable) {
    element.addEventListener("touchstart", (event) => event.preventDefault(), { signal, passive: false });
  }
  on("pointerdown", (event) => {
    if (pointer !== null || event.button !== 0) return;
    event.preventDefault();
    if (isPannable && event.pointerType === "touch") pending = event;
    else begin(event);
  });
  on("pointermove", (event) => {
    if (event.pointerId === pointer) handlers.move(event);
    if (event.pointerId !== pending?.pointerId) return;
    const [across, down] = [event.clientX - pending.clientX, event.clientY - pending.clientY].map(Math.abs);
    if (across > SLOP && across > down) begin(event);
  });
  on("pointerup", (event) => {
    // A tap sets the value where it is.
    if (event.pointerId === pending?.pointerId) begin(event);
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
    on(type, (event) => {
      // A finger is first captured by what it touches, which loses it to the element.
      if (type === "lostpointercapture" && event.target !== element) return;
      if (event.pointerId === pointer || event.pointerId === pending?.pointerId) end();
    });
  }
  signal.addEventListener("abort", end);
}
