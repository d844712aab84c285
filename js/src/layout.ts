import { clamp } from "./base/scale.ts";
import type { Width } from "./base/width.ts";
import type { PlotSize } from "./plot/plot_frame.ts";

const WIDE = 880;
const MEDIUM = 600;
const LARGEST = 560;
const SMALLEST = 96;
/** Padding on both sides, the gap between the columns, and the column of modules. */
const BESIDE_THE_PLOT = 2 * 16 + 40 + 448;
/** In full screen: padding, title, sentence, choices, axis titles, what is promised. */
const AROUND_THE_PLOT = 360;

export function widthOf(pixels: number): Width {
  if (pixels >= WIDE) return "wide";
  return pixels >= MEDIUM ? "medium" : "narrow";
}

/** The largest plot that fits; `screen` is the height of a full screen, null in a page. */
export function plotSize(pixels: number, screen: number | null = null): PlotSize {
  const width = widthOf(pixels);
  const taken = { wide: BESIDE_THE_PLOT, medium: 32, narrow: 24 }[width];
  const [left, right] = width === "narrow" ? [26, 8] : [32, width === "wide" ? 0 : 8];
  const largest = screen === null ? LARGEST : Math.max(LARGEST / 2, screen - AROUND_THE_PLOT);
  return { left, right, size: clamp(Math.floor(pixels - taken - left - right), SMALLEST, largest) };
}
