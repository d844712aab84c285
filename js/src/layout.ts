import type { Width } from "./base/width.ts";
import type { PlotSize } from "./plot/plot_frame.ts";

const WIDE = 880;
/** From here on a third column takes what is read: table, legend and notes. */
const THIRD = 1360;
const LEAST_THIRD = 40 + 368;
const MEDIUM = 600;
/** From here on the names of lines stand on the plot. */
const CAPTIONED = 420;
const LARGEST = 560;
const SMALLEST = 96;
/** Below this a plot is not made smaller to fit the height. */
const LEAST_BY_HEIGHT = 240;
/** Padding on both sides, the gap between the columns, and the column of modules. */
const BESIDE_THE_PLOT = { wide: 2 * 16 + 40 + 448, medium: 2 * 16 + 40 + 248, narrow: 2 * 12 };
const LARGEST_MEDIUM = 400;
/** Above and below the square. */
const AXIS_TITLES = 72;
/** In full screen: padding, title, sentence, choices, axis titles, what is promised. */
const AROUND_THE_PLOT = 360;

/** From here on the views that are not in front stand small below the one that is. */
export const hasOtherViews = (pixels: number) => pixels >= 1400;

export function widthOf(pixels: number): Width {
  if (pixels >= WIDE) return "wide";
  return pixels >= MEDIUM ? "medium" : "narrow";
}

export const hasThird = (pixels: number) => pixels >= THIRD;

/**
 * The largest plot that fits beside or above its sliders in `visible` pixels, of which as many as `above` are taken,
 * unless they leave too few and the reader scrolls anyway; `screen` is the height of a full screen.
 */
export function plotSize(pixels: number, visible: number, screen: number | null = null, above = 0): PlotSize {
  const width = widthOf(pixels);
  const [left, right] = width === "narrow" ? [26, 8] : [32, width === "wide" ? 0 : 8];
  const third = hasThird(pixels) ? LEAST_THIRD : 0;
  const across = Math.floor(pixels - BESIDE_THE_PLOT[width] - third - left - right);
  const size = Math.max(SMALLEST, Math.min(across, largestOf(width, visible, screen, above)));
  return { left, right, size, hasKey: pixels < CAPTIONED };
}

function largestOf(width: Width, visible: number, screen: number | null, above: number): number {
  if (screen !== null) return Math.max(LARGEST / 2, screen - AROUND_THE_PLOT);
  const height = {
    wide: Math.min(LARGEST, visible - 150),
    medium: Math.min(LARGEST_MEDIUM, visible - 200),
    narrow: Math.min(LARGEST, visible - 300),
  }[width];
  const below = visible - above - AXIS_TITLES;
  const isScrolledTo = width === "narrow" || below < LEAST_BY_HEIGHT;
  return Math.max(LEAST_BY_HEIGHT, isScrolledTo ? height : Math.min(height, below));
}

/** Height of what scrolls around an element, or of the window. */
export function visibleHeight(element: HTMLElement): number {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at);
    const isScrolled =
      (overflowY === "auto" || overflowY === "scroll") && at.scrollHeight > at.clientHeight + 1;
    if (isScrolled && at.clientHeight > 0 && at !== document.body)
      return Math.min(at.clientHeight, window.innerHeight);
  }
  return window.innerHeight;
}

/** Where the browser scrolls to a slider's thumb it shows the plot and both tracks with it; the height above the plot. */
export function keepTogether(root: HTMLElement): number {
  const box = (element: Element) => element.getBoundingClientRect();
  const together = [...root.querySelectorAll(".crw-plot, .crw-track")].map(box);
  const top = Math.min(...together.map((each) => each.top));
  const bottom = Math.max(...together.map((each) => each.bottom));
  for (const thumb of root.querySelectorAll<HTMLElement>(".crw-thumb")) {
    const at = box(thumb);
    thumb.style.scrollMargin = `${Math.ceil(at.top - top) + 1}px 0 ${Math.ceil(bottom - at.bottom) + 1}px`;
  }
  return Math.ceil(together[0].top + window.scrollY);
}
