// Converts the units of a plot's axes to pixels.

import type { Pair } from "../base/pair.ts";
import type { Axis } from "../scene.ts";

/** The square between the axes. (x0, y0) is its lower left corner, in pixels. */
export interface Square {
  x0: number;
  y0: number;
  size: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The position of value 0 in pixels, and the number of pixels per unit. */
interface Scale {
  zero: number;
  unit: number;
}

/**
 * The scales of both axes. The object stays the same until the plot's size or axes change, so that its identity tells
 * whether to draw again.
 */
export interface Scales {
  square: Square;
  across: Scale;
  up: Scale;
}

export interface Axes {
  across: Axis;
  up: Axis;
}

export function scalesOf(
  square: Square,
  { across, up }: Record<"across" | "up", Pick<Axis, "ends">>,
): Scales {
  const scale = (start: number, length: number, [low, high]: Pair<number>): Scale => {
    const unit = length / (high - low);
    return { zero: start - low * unit, unit };
  };
  const { x0, y0, size } = square;
  return { square, across: scale(x0, size, across.ends), up: scale(y0, -size, up.ends) };
}

const UNIT = { ends: [0, 1] } as const;

/** Scales of axes from 0 to 1. */
export const unitScales = (square: Square) => scalesOf(square, { across: UNIT, up: UNIT });

export const toX = ({ across: { zero, unit } }: Scales, x: number) => zero + x * unit;
export const toY = ({ up: { zero, unit } }: Scales, y: number) => zero + y * unit;
export const fromX = ({ across: { zero, unit } }: Scales, pixels: number) => (pixels - zero) / unit;
export const fromY = ({ up: { zero, unit } }: Scales, pixels: number) => (pixels - zero) / unit;

/** Returns the box of an element relative to `origin`, in units of `scale` pixels of the screen. */
export function boxFrom(origin: { left: number; top: number }, element: Element, scale: number): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const across = (x: number) => (x - origin.left) / scale;
  const down = (y: number) => (y - origin.top) / scale;
  return { left: across(left), top: down(top), right: across(right), bottom: down(bottom) };
}

/** Returns the square around a point, with its sides `reach` away from the point. */
export const boxAround = (x: number, y: number, reach: number): Box => ({
  left: x - reach,
  top: y - reach,
  right: x + reach,
  bottom: y + reach,
});

/** Whether two boxes overlap or are closer than `gap`. */
export const overlaps = (one: Box, other: Box, gap = 0) =>
  one.left < other.right + gap &&
  other.left < one.right + gap &&
  one.top < other.bottom + gap &&
  other.top < one.bottom + gap;

export const boxOf = ({ x0, y0, size }: Square): Box => ({
  left: x0,
  top: y0 - size,
  right: x0 + size,
  bottom: y0,
});
