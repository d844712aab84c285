// Grip of a slider: dragged from the press to the release, and moved by keys.

import { listen } from "./dom.ts";

export interface KeyMoves {
  arrow(sign: 1 | -1): void;
  page(sign: 1 | -1): void;
  home(): void;
  end(): void;
}

export interface GripMoves extends KeyMoves {
  /** Called before the press moves anything. */
  press?(): void;
  /** Called at each move, and for the press itself. */
  move(event: PointerEvent): void;
}

/** The value that a slider moves; it is told when a hand takes hold and lets go. */
export interface Held {
  hold(): void;
  release(): void;
}

/** A slider's grip, moved by keys and dragged, by itself or along a track, on which a vertical swipe scrolls the page. */
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

/** A finger that has moved this many pixels drags. */
const SLOP = 4;

/**
 * Press, drag and release by mouse, touch or pen; the pointer stays with the element until it is let go. On a pannable
 * element, whose style has `touch-action: pan-y`, a vertical swipe scrolls the page and sets nothing.
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
  /** A finger that may be about to scroll. */
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

  // If touch-action has no effect, as on the parts of an SVG, the page would scroll and end the drag.
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
    // A tap sets the value where it is.
    if (event.pointerId === pending?.pointerId) begin(event);
  });
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    listen(element, type, signal, (event) => {
      // The touched part captures the finger first, and loses it to the element: that does not end the drag.
      if (type === "lostpointercapture" && event.target !== element) return;
      if (event.pointerId === pointer || event.pointerId === pending?.pointerId) end();
    });
  }
  signal.addEventListener("abort", end);
}

/**
 * Moves of the pointer. Browsers hold a move back until the next frame begins, and some tell of it before: the first
 * one is taken then, unless several came before the last frame, of which the last one counts.
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

/** The keys of a slider. Those that move it go no further: the notebook has shortcuts on them. */
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
