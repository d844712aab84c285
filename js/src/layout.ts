import type { Width } from "./part.ts";
import type { PlotSize } from "./plot.ts";
import { clamp } from "./scale.ts";

const WIDE = 880;
const MEDIUM = 600;
const LARGEST = 560;
const SMALLEST = 160;
/** Padding on both sides, the gap between the columns, and the column of modules. */
const BESIDE_THE_PLOT = 2 * 16 + 40 + 448;

export function widthOf(pixels: number): Width {
  if (pixels >= WIDE) return "wide";
  return pixels >= MEDIUM ? "medium" : "narrow";
}

export function plotSize(pixels: number): PlotSize {
  const width = widthOf(pixels);
  const taken = { wide: BESIDE_THE_PLOT, medium: 32, narrow: 24 }[width];
  const [left, right] = width === "narrow" ? [26, 8] : [32, width === "wide" ? 0 : 8];
  return { left, right, size: clamp(Math.floor(pixels - taken - left - right), SMALLEST, LARGEST) };
}
