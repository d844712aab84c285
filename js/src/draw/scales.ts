// From the units of a plot's axes to pixels.

import type { Pair } from "../base/pair.ts";
import type { Axis } from "../scene.ts";

/** The square between the axes: (x0, y0) is its lower left corner. */
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

/** The pixel of 0, and how many pixels a unit has. */
interface Scale {
  zero: number;
  unit: number;
}

/** Scales of both axes; the same object while nothing changes, so that nothing is drawn again. */
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

/** The box of an element, from a corner as origin and in pixels that take `scale` of the screen's. */
export function boxFrom(origin: { left: number; top: number }, element: Element, scale: number): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const across = (x: number) => (x - origin.left) / scale;
  const down = (y: number) => (y - origin.top) / scale;
  return { left: across(left), top: down(top), right: across(right), bottom: down(bottom) };
}

/** The square around a place that reaches this far to all sides. */
export const boxAround = (x: number, y: number, reach: number): Box => ({
  left: x - reach,
  top: y - reach,
  right: x + reach,
  bottom: y + reach,
});

/** Whether two boxes overlap, or are nearer than `gap`. */
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
