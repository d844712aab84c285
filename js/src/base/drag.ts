export interface DragHandlers {
  start(): void;
  /** Also called for the press itself. */
  move(event: PointerEvent): void;
  end(): void;
}

/** Press, drag and release by mouse, touch or pen; the pointer stays with the element until it is let go. */
export function draggable(element: HTMLElement | SVGElement, handlers: DragHandlers, signal: AbortSignal) {
  let pointer: number | null = null;

  function end() {
    if (pointer === null) return;
    pointer = null;
    element.classList.remove("crw-dragging");
    handlers.end();
  }

  const on = (type: string, listener: (event: PointerEvent) => void) =>
    element.addEventListener(type, listener as EventListener, { signal });

  // Where touch-action has no say, as on the parts of an SVG, the page would scroll and end the drag.
  element.addEventListener("touchstart", (event) => event.preventDefault(), { signal, passive: false });
  on("pointerdown", (event) => {
    if (pointer !== null || event.button !== 0) return;
    event.preventDefault();
    pointer = event.pointerId;
    element.setPointerCapture(pointer);
    element.classList.add("crw-dragging");
    handlers.start();
    handlers.move(event);
  });
  on("pointermove", (event) => {
    if (event.pointerId === pointer) handlers.move(event);
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
    on(type, (event) => {
      if (event.pointerId === pointer) end();
    });
  }
  signal.addEventListener("abort", end, { once: true });
}
