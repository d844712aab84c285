// Grip of a slider: dragged, and moved by keys; the controller is told when a hand is on it.

import { draggable } from "./drag.ts";
import { type KeyMoves, onSliderKeys } from "./keys.ts";

export interface GripMoves extends KeyMoves {
  /** Before the press moves anything. */
  press?(): void;
  /** Also called for the press itself. */
  move(event: PointerEvent): void;
}

/** What a slider moves, told when a hand is on it. */
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
  const start = () => {
    grip.focus({ preventScroll: true, focusVisible: false });
    moves.press?.();
    held.hold();
  };
  const end = () => held.release();
  draggable(track ?? grip, { start, move: moves.move, end }, signal, track !== undefined);
  onSliderKeys(grip, moves, signal);
}
