import type { Line } from "./band.ts";

/** The unit square of the plot in pixels: (x0, y0) is where both rates are 0. */
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

export const toX = ({ x0, size }: Square, fpr: number) => x0 + fpr * size;
export const toY = ({ y0, size }: Square, tpr: number) => y0 - tpr * size;
export const fromX = ({ x0, size }: Square, x: number) => (x - x0) / size;
export const fromY = ({ y0, size }: Square, y: number) => (y0 - y) / size;

export const boxOf = ({ x0, y0, size }: Square): Box => ({
  left: x0,
  top: y0 - size,
  right: x0 + size,
  bottom: y0,
});

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

export function contains(outer: Box, inner: Box): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  );
}

export function grow({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** Path data of a line, in thousandths of a pixel. */
export function pathOf(line: Line, square: Square): string {
  const parts: string[] = [];
  for (let i = 0; i < line.x.length; i++) {
    parts.push(`${thousandths(toX(square, line.x[i]))} ${thousandths(toY(square, line.y[i]))}`);
  }
  return `M${parts.join("L")}`;
}

const thousandths = (pixels: number) => Math.round(pixels * 1000) / 1000;
