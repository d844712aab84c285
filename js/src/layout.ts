// The sizes of the parts, by the room that there is.

import { scaleOf } from "./base/place.ts";
import { clamp } from "./base/scale.ts";
import type { Width } from "./base/width.ts";
import type { PlotSize } from "./draw/canvas.ts";
import type { Heights } from "./panels/panel.ts";

const WIDE = 880;
const MEDIUM = 600;
const PADDING = 16;
/** Content is at most this wide, and stands in the middle. */
const WIDEST = 1088;
const LEFT = 32;
/** The least that sliders and strips beside the plot need. */
const LEAST_MODULES = 400;
/** Below this a plot is not made smaller to fit the height. */
const LEAST = 240;
const LARGEST = 560;
/** A page of its own that is lower than this is set densely. */
export const DENSE = 660;
/** At this width or more a sentence that compares two classifiers takes one line. */
export const ONE_LINE = 1120;
/** Pixels above and below the plot in a page of its own, and in one that is set densely. */
const AROUND = 318;
const AROUND_DENSE = 258;
/** In a notebook the width alone counts: all of it is 700 pixels high. */
const IN_NOTEBOOK = [
  [880, 352],
  [1000, 396],
  [1200, 400],
] as const;
/** Pixels that the plot loses to the slider of a time above the others; the strips lose the rest. */
const FOR_TIME = 22;
/** Height of a further row above the plot: the choice among several, or comparators' names. */
const ROW = 20;

/** Heights of strips, and the height of a plot above which they grow. */
const STRIPS = {
  open: { from: 388, residuals: 36, scores: 46 },
  dense: { from: 362, residuals: 33, scores: 41 },
};
const STRIPS_BELOW_TIME = {
  open: { from: 420, residuals: 34, scores: 42 },
  dense: { from: 362, residuals: 24, scores: 28 },
};
/** If several classifiers are shown on a low screen: the height of a row of their table, and the least heights of the strips. */
const LISTED = { row: 26, dense: 20, without: 2, residuals: 24, scores: 22 };
/** Width of a slider's value; only in wide letters is it longer. */
const WIDE_VALUE = 105;

/** Everything that depends on the room that there is. */
export interface Layout {
  width: Width;
  isDense: boolean;
  gap: number;
  gutter: number;
  plot: PlotSize;
  strips: Heights;
  /** Height that is kept for the answer, where its sentences wrap. */
  answer: number;
}

export function widthOf(pixels: number): Width {
  if (pixels >= WIDE) return "wide";
  return pixels >= MEDIUM ? "medium" : "narrow";
}

/** What stands below the strips: a table of so many, and notes that are so high. All together have no strips. */
interface Below {
  listed?: number;
  notes?: number;
  hasStrips?: boolean;
}

/**
 * In `pixels` across, of a page of its own or a full screen that shows `visible` pixels, or of a notebook, where
 * `visible` ones are seen at once; so many further `rows` stand above the plot. Letters may be wider than ours, a
 * slider's `value` needs so much room, and one for a time may stand above the others.
 */
export function layoutOf(
  pixels: number,
  visible: number,
  isOwn: boolean,
  rows: number,
  letters = 1,
  value = 0,
  hasTime = false,
  { listed = 0, notes = 0, hasStrips = true }: Below = {},
): Layout {
  const width = widthOf(pixels / letters);
  if (width === "narrow") return narrowLayout(pixels, letters, value);
  const inner = Math.min(pixels - 2 * PADDING, WIDEST);
  if (width === "medium") return mediumLayout(pixels, letters, value);
  const isDense = isOwn && visible < DENSE;
  const [gap, gutter] = pixels >= 1120 ? [40, 104] : pixels >= 960 ? [32, 96] : [24, 92];
  const least = hasTime ? STRIPS_BELOW_TIME : STRIPS;
  const { from, ...strips } = isDense ? least.dense : least.open;
  // A row above the plot is one of a longer answer, too, which on a low screen the strips pay.
  const longer = isDense ? Math.max(0, rows - 1) * ROW : 0;
  const table = Math.max(0, listed - LISTED.without) * (isDense ? LISTED.dense : LISTED.row);
  // Notes are seen on a low screen if plot and strips can leave them room; else all of it is theirs, and notes come below.
  const inStrips = 2 * (strips.residuals + strips.scores - LISTED.residuals - LISTED.scores) - longer - table;
  const inPlot = visible - AROUND_DENSE - LEAST;
  const seen = isDense && notes <= (hasStrips ? Math.min(inStrips, inPlot) : inPlot) ? notes : 0;
  const around = isDense ? AROUND_DENSE + seen : AROUND + (hasTime ? FOR_TIME : 0);
  const wished = isOwn
    ? clamp(visible - around, LEAST, LARGEST)
    : Math.min(inNotebook(pixels), Math.max(LEAST, visible - 110));
  const tall = Math.min(wished, inner - LEFT - gap - LEAST_MODULES);
  const size = tall - rows * ROW;
  // Strips share the height that a plot has beyond the least, at which the words between them still do not touch.
  const added = Math.max(0, Math.floor((size - from) / 4));
  const tallest = { residuals: strips.residuals + added, scores: strips.scores + added };
  return {
    width,
    isDense,
    gap,
    gutter: Math.max(gutter * letters, value),
    plot: { left: LEFT, right: 0, size },
    strips: isOwn ? lowered(tallest, table + longer + seen) : tallest,
    answer: 0,
  };
}

/** Rows of a table beyond the second, and what a low screen has no other room for, take their height from the strips, as far as these can give it. */
function lowered(strips: Heights, pixels: number): Heights {
  const taken = pixels / 2;
  const residuals = Math.max(
    Math.min(LISTED.residuals, strips.residuals),
    strips.residuals - Math.ceil(taken / 2),
  );
  const left = Math.ceil(taken - (strips.residuals - residuals));
  return { residuals, scores: Math.max(Math.min(LISTED.scores, strips.scores), strips.scores - left) };
}

/** Two equal columns: the plot and, beside it, sliders with their strips, which share the plot's height. */
function mediumLayout(pixels: number, letters: number, value: number): Layout {
  const gap = pixels < 660 ? 20 : 24;
  const size = Math.floor((pixels - 2 * PADDING - gap) / 2) - LEFT;
  const added = Math.max(0, Math.floor((size - 300) / 4));
  return {
    width: "medium",
    isDense: false,
    gap,
    gutter: Math.max(84 * letters, value),
    plot: { left: LEFT, right: 0, size },
    strips: { residuals: 30 + added, scores: 40 + added },
    answer: pixels < 720 || value > WIDE_VALUE ? 88 : 66,
  };
}

function narrowLayout(pixels: number, letters: number, value: number): Layout {
  const inner = pixels - 24;
  const size = Math.max(96, Math.min(inner - 34, pixels < 480 ? 300 : 400));
  const left = Math.max(26, Math.min(47, inner - size - 8));
  const plot = { left, right: inner - size - left, size };
  return {
    width: "narrow",
    isDense: false,
    gap: 0,
    gutter: Math.min(Math.max(100 * letters, value), pixels / 2.5),
    plot,
    strips: { residuals: 30, scores: 44 },
    answer: 0,
  };
}

function inNotebook(pixels: number): number {
  const at = IN_NOTEBOOK.findIndex(([wide]) => wide > pixels);
  if (at <= 0) return IN_NOTEBOOK[at < 0 ? IN_NOTEBOOK.length - 1 : 0][1];
  const [[from, low], [to, high]] = [IN_NOTEBOOK[at - 1], IN_NOTEBOOK[at]];
  return Math.round(low + ((pixels - from) / (to - from)) * (high - low));
}

/** Makes the browser show the plot and both tracks when it scrolls to a slider's thumb. */
export function keepTogether(root: HTMLElement) {
  const box = (element: Element) => element.getBoundingClientRect();
  const scale = scaleOf(root);
  // Hidden sliders are left out: their boxes lie in the corner of the window.
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
