// Computes the sizes of the components from the available width and height.

import { scaleOf } from "./base/place.ts";
import { clamp } from "./base/scale.ts";
import type { Width } from "./base/width.ts";
import type { PlotSize } from "./draw/canvas.ts";
import type { Room } from "./panels/panel.ts";

const WIDE = 880;
const MEDIUM = 600;
const PADDING = 16;
/** The largest width of the content in pixels. In a wider page it is centred. */
const WIDEST = 1088;
const LEFT = 40;
/**
 * In pixels: the smallest width of the sliders beside the plot, and the smallest width of the key above the
 * plot.
 */
const [LEAST_MODULES, LEAST_KEY] = [400, 340];
/**
 * Sizes of the plot, in pixels, on a page that holds only the chart: the smallest, the largest at which plot and
 * sliders must share the screen, and the largest of all.
 */
const [LEAST, SHARED, LARGEST] = [220, 400, 560];
/**
 * In pixels: the height above the plot until it is measured (`ABOVE`), the height of the plot outside its
 * square (`AROUND`), and the height of two rows of answers below the plot (`FOOT`).
 */
export const ABOVE = 224;
const [AROUND, FOOT] = [58, 108];
/** Pairs of a notebook's width and the plot's size in it, in pixels. Between two widths, the size is interpolated. */
const IN_NOTEBOOK = [
  [880, 352],
  [1000, 396],
  [1200, 400],
] as const;
/** The height of one more row above the plot, in pixels. Such a row chooses an evaluation or names comparators. */
const ROW = 20;
/** Heights of the strips in pixels. If the plot is larger than `from`, the strips grow with it. */
const STRIPS = { from: 500, residuals: 36, scores: 46 };

/** All sizes that depend on the available width and height. */
export interface Layout {
  width: Width;
  gap: number;
  gutter: number;
  plot: PlotSize;
  strips: Room;
}

export function widthOf(pixels: number): Width {
  if (pixels >= WIDE) return "wide";
  return pixels >= MEDIUM ? "medium" : "narrow";
}

/**
 * Returns the layout for a width of `pixels`. `visible` is the visible height, `rows` the number of extra rows above
 * the plot, and `value` the width of a slider's value in the user's font. `above` is the height above the plot if the
 * page holds only the chart. On a low screen only plot and sliders fit, and the user scrolls to the rest.
 */
export function layoutOf(
  pixels: number,
  visible: number,
  isOwn: boolean,
  rows: number,
  letters = 1,
  value = 0,
  above = ABOVE + rows * ROW,
): Layout {
  const width = widthOf(pixels / letters);
  if (width === "narrow") return narrowLayout(pixels, letters, value);
  const inner = Math.min(pixels - 2 * PADDING, WIDEST);
  if (width === "medium") return mediumLayout(pixels, letters, value);
  const [gap, gutter] = pixels >= 1120 ? [40, 104] : [28, 96];
  const room = visible - above - AROUND;
  const wished = isOwn
    ? clamp(Math.max(room - FOOT, Math.min(room, SHARED)), LEAST, LARGEST)
    : Math.min(inNotebook(pixels), Math.max(LEAST, visible - 110));
  const size = Math.min(wished, inner - LEFT - gap - LEAST_MODULES) - (isOwn ? 0 : rows * ROW);
  return {
    width,
    gap,
    gutter: Math.max(gutter * letters, value),
    plot: { left: LEFT, right: Math.max(0, LEAST_KEY - LEFT - size), size },
    strips: grown(STRIPS, size, letters),
  };
}

/** Returns the heights of the strips beside a plot. `size` is the side of the plot in pixels. */
function grown({ from, residuals, scores }: typeof STRIPS, size: number, letters: number): Room {
  const added = Math.max(0, Math.floor((size - from) / 4));
  return { residuals: residuals + added, scores: scores + added, letters };
}

/** Returns the layout of two equal columns: the plot, and beside it the sliders with their strips. */
function mediumLayout(pixels: number, letters: number, value: number): Layout {
  const gap = 24;
  const size = Math.floor((pixels - 2 * PADDING - gap) / 2) - LEFT;
  return {
    width: "medium",
    gap,
    gutter: Math.max(94 * letters, value),
    plot: { left: LEFT, right: 0, size },
    strips: grown({ from: 300, residuals: 30, scores: 40 }, size, letters),
  };
}

function narrowLayout(pixels: number, letters: number, value: number): Layout {
  const inner = pixels - 24;
  const size = Math.max(96, Math.min(inner - LEFT - 4, 400));
  const left = Math.max(LEFT, Math.min(47, inner - size - 8));
  return {
    width: "narrow",
    gap: 0,
    gutter: Math.min(Math.max(100 * letters, value), pixels / 2.5),
    plot: { left, right: Math.max(0, inner - size - left), size },
    strips: { residuals: 30, scores: 44, letters },
  };
}

function inNotebook(pixels: number): number {
  const at = IN_NOTEBOOK.findIndex(([wide]) => wide > pixels);
  if (at <= 0) return IN_NOTEBOOK[at < 0 ? IN_NOTEBOOK.length - 1 : 0][1];
  const [[from, low], [to, high]] = [IN_NOTEBOOK[at - 1], IN_NOTEBOOK[at]];
  return Math.round(low + ((pixels - from) / (to - from)) * (high - low));
}

/**
 * Sets the scroll margins of the sliders. If the browser scrolls to a slider's thumb, it then shows the plot and both
 * tracks too.
 */
export function keepTogether(root: HTMLElement) {
  const box = (element: Element) => element.getBoundingClientRect();
  const scale = scaleOf(root);
  // If a slider is hidden, its box is empty and at the corner of the window. So it is left out.
  const seen = (names: string) =>
    [...root.querySelectorAll<HTMLElement>(names)].filter((each) => each.getClientRects().length > 0);
  const together = seen(".crw-plot, .crw-track").map(box);
  const top = Math.min(...together.map((each) => each.top));
  const bottom = Math.max(...together.map((each) => each.bottom));
  for (const thumb of seen(".crw-thumb")) {
    const at = box(thumb);
    const [above, below] = [at.top - top, bottom - at.bottom].map((each) => Math.ceil(each / scale) + 1);
    thumb.style.scrollMargin = `${above}px 0 ${below}px`;
  }
}
