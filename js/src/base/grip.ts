// Makes the handle of a slider, which the user drags by pointer or moves by keys.

import { listen } from "./dom.ts";

export interface KeyMoves {
  arrow(sign: 1 | -1): void;
  page(sign: 1 | -1): void;
  home(): void;
  end(): void;
}

export interface GripMoves extends KeyMoves {
  /** Called when the pointer is pressed, before the first call of `move`. */
  press?(): void;
  /** Called when the pointer is pressed, and each time it moves. */
  move(event: PointerEvent): void;
}

/** Callbacks of a slider: `hold` runs when the user takes its handle, `release` when the user lets go. */
export interface Held {
  hold(): void;
  release(): void;
}

/**
 * Makes `grip` the handle of a slider. The user moves it by keys, or drags it by pointer. If there is a `track`, the
 * user can drag anywhere along it. A vertical swipe on the track scrolls the page.
 */
export function onGrip(
  grip: HTMLElement | SVGElement,
  moves: GripMoves,
  held: Held,
  signal: AbortSignal,
  track?: HTMLElement,
) {
  const press = () => {
    grip.focus({ preventScroll: true, focusVisible: false });
    moves.press?.();
    held.hold();
  };
  const end = () => held.release();
  onDrag(track ?? grip, press, moves.move, end, signal, track !== undefined);
  onSliderKeys(grip, moves, signal);
}

/** A finger on a track starts to drag after it has moved sideways by more than this number of pixels. */
const SLOP = 4;

/**
 * Calls back when a mouse, a finger or a pen presses, drags and lets go. From the press on, the element gets
 * all events of this pointer until it is released. If `isPannable`, the element must have the style
 * `touch-action: pan-y`. A vertical swipe then scrolls the page and sets nothing.
 */
function onDrag(
  element: HTMLElement | SVGElement,
  press: () => void,
  move: (event: PointerEvent) => void,
  release: () => void,
  signal: AbortSignal,
  isPannable: boolean,
) {
  let pointer: number | null = null;
  /** The press of a finger that has not yet become a drag or a scroll. Null if there is none. */
  let pending: PointerEvent | null = null;

  function begin(event: PointerEvent) {
    pending = null;
    pointer = event.pointerId;
    element.setPointerCapture(pointer);
    element.classList.add("crw-dragging");
    press();
    move(event);
  }

  function end() {
    pending = null;
    if (pointer === null) return;
    pointer = null;
    element.classList.remove("crw-dragging");
    release();
  }

  // `touch-action` has no effect on parts of an SVG in some browsers. Without this listener, the page would
  // scroll and end the drag.
  if (!isPannable) {
    element.addEventListener("touchstart", (event) => event.preventDefault(), { signal, passive: false });
  }
  listen(element, "pointerdown", signal, (event) => {
    if (pointer !== null || event.button !== 0) return;
    event.preventDefault();
    if (isPannable && event.pointerType === "touch") pending = event;
    else begin(event);
  });
  onMoves(element, signal, (event) => {
    if (event.pointerId === pointer) move(event);
    if (event.pointerId !== pending?.pointerId) return;
    const [across, down] = [event.clientX - pending.clientX, event.clientY - pending.clientY].map(Math.abs);
    if (across > SLOP && across > down) begin(event);
  });
  listen(element, "pointerup", signal, (event) => {
    if (event.pointerId === pending?.pointerId) begin(event);
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    listen(element, type, signal, (event) => {
      // When an element is touched, a child of it first captures the touch. Then `element` captures it, and
      // the child loses it. The drag goes on in this case.
      if (type === "lostpointercapture" && event.target !== element) return;
      if (event.pointerId === pointer || event.pointerId === pending?.pointerId) end();
    });
  }
  signal.addEventListener("abort", end);
}

/**
 * Calls `move` as the pointer moves. Every browser sends `pointermove` at the start of a frame. Some browsers
 * also send `pointerrawupdate` earlier, between two frames. The first `pointerrawupdate` of a frame is used
 * at once. If the last frame had several, only `pointermove` is used.
 */
function onMoves(
  element: HTMLElement | SVGElement,
  signal: AbortSignal,
  move: (event: PointerEvent) => void,
) {
  let ahead: PointerEvent | null = null;
  let updates = 0;
  let isSlow = true;
  listen(element, "pointerrawupdate", signal, (event) => {
    updates += 1;
    if (updates > 1 || !isSlow) return;
    ahead = event as PointerEvent;
    move(ahead);
  });
  listen(element, "pointermove", signal, (event) => {
    isSlow = updates <= 1;
    updates = 0;
    const isKnown = ahead !== null && ahead.clientX === event.clientX && ahead.clientY === event.clientY;
    ahead = null;
    if (!isKnown) move(event);
  });
}

/** Lets keys move a slider. A key that moves it does not reach the notebook, which has shortcuts on the same keys. */
function onSliderKeys(element: Element, moves: KeyMoves, signal: AbortSignal) {
  const actions: Record<string, () => void> = {
    ArrowRight: () => moves.arrow(1),
    ArrowUp: () => moves.arrow(1),
    ArrowLeft: () => moves.arrow(-1),
    ArrowDown: () => moves.arrow(-1),
    PageUp: () => moves.page(1),
    PageDown: () => moves.page(-1),
    Home: moves.home,
    End: moves.end,
  };
  listen(element, "keydown", signal, (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  });
}
