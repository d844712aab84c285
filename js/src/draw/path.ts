// Turns points into the path data of SVG, in hundredths of a pixel.

import type { Area, Points } from "../scene.ts";
import { boxOf, fromX, fromY, type Scales } from "./scales.ts";

/** Steps shorter than this number of pixels are left out of edges, and out of a band of many points while it moves. */
const FINEST = 0.25;
const FINEST_MOVING = 1;
const MANY = 1250;
/** Lines are drawn beyond the square by this multiple of its side, and cut off there. */
const BEYOND = 1;

export const pathOf = (points: Points, scales: Scales) => `M${textsOf(points, scales).join("").slice(1)}`;

/**
 * Returns the closed outline of a band (its upper edge forwards, then its lower edge backwards), and the edges that are
 * limits.
 */
export function areaPaths(
  { upper, lower, sides, fill }: Area,
  scales: Scales,
  isMoving: boolean,
  finest = 0,
) {
  const rough = Math.max(finest, isMoving && upper.x.length > MANY ? FINEST_MOVING : 0);
  const [over, under] =
    rough > 0 ? [coarse(upper, scales, rough), coarse(lower, scales, rough)] : [upper, lower];
  const edge = (points: Points) => pathOf(rough < FINEST ? coarse(points, scales, FINEST) : points, scales);
  const outline = fill
    ? textsOf(over, scales)
        .concat(textsOf(under, scales, true))
        .join("")
    : "";
  return {
    outline: fill && `M${outline.slice(1)}Z`,
    edges: (sides[1] ? edge(over) : "") + (sides[0] ? edge(under) : ""),
  };
}

/**
 * Returns fewer points: a point is left out if it is closer than `pixels` to the last kept point. The first
 * and the last point are always kept.
 */
export function coarse({ x, y, step }: Points, { across, up }: Scales, pixels: number): Points {
  const [leastX, leastY] = [pixels / Math.abs(across.unit), pixels / Math.abs(up.unit)];
  const n = x.length;
  const [coarserX, coarserY] = [new Float64Array(n), new Float64Array(n)];
  let count = 0;
  for (let i = 0; i < n; i++) {
    const isEnd = i === 0 || i === n - 1;
    const isShort =
      Math.abs(x[i] - coarserX[count - 1]) < leastX && Math.abs(y[i] - coarserY[count - 1]) < leastY;
    if (!isEnd && isShort) continue;
    coarserX[count] = x[i];
    coarserY[count] = y[i];
    count += 1;
  }
  return { x: coarserX.subarray(0, count), y: coarserY.subarray(0, count), step };
}

/** Whether some points lie beyond the axes. */
export function leaves({ x, y }: Points, scales: Scales): boolean {
  const { left, right, top, bottom } = boxOf(scales.square);
  const [lowX, highX] = [fromX(scales, left - 0.01), fromX(scales, right + 0.01)];
  const [lowY, highY] = [fromY(scales, bottom + 0.01), fromY(scales, top - 0.01)];
  return isBeyond(x, lowX, highX) || isBeyond(y, lowY, highY);
}

function isBeyond(values: Points["x"], low: number, high: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] < low || values[i] > high) return true;
  return false;
}

/**
 * Returns two pieces of path data for each point. The first piece begins with "L", so that it can follow another path.
 */
function textsOf({ x, y, step }: Points, { across, up, square }: Scales, isBackward = false): string[] {
  const n = x.length;
  // If a line is read backwards, a step that goes first across and then up becomes a step that goes first up.
  const isUpFirst = step !== "" && (step === "up") !== isBackward;
  const [acrossTexts, upTexts] = step
    ? [textsAfter("H"), textsAfter("V")]
    : [textsAfter("L"), textsAfter(" ")];
  const far = BEYOND * square.size;
  const [leastX, mostX] = [square.x0 - far, square.x0 + square.size + far];
  const [leastY, mostY] = [square.y0 - square.size - far, square.y0 + far];
  const texts = new Array<string>(2 * n);
  for (let i = 0; i < n; i++) {
    const from = isBackward ? n - 1 - i : i;
    const atX = Math.min(Math.max(across.zero + x[from] * across.unit, leastX), mostX);
    const atY = Math.min(Math.max(up.zero + y[from] * up.unit, leastY), mostY);
    if (i === 0) {
      texts[0] = textAt(textsAfter("L"), atX);
      texts[1] = textAt(textsAfter(" "), atY);
    } else {
      texts[isUpFirst ? 2 * i + 1 : 2 * i] = textAt(acrossTexts, atX);
      texts[isUpFirst ? 2 * i : 2 * i + 1] = textAt(upTexts, atY);
    }
  }
  return texts;
}

interface Known {
  before: string;
  texts: string[];
}

function textAt({ before, texts }: Known, pixels: number): string {
  const at = Math.round(100 * pixels);
  if (!(at >= 0 && at < MOST_KNOWN)) return before + at / 100;
  texts[at] ??= before + at / 100;
  return texts[at];
}

const MOST_KNOWN = 65536;
const tables = new Map<string, WeakRef<Known>>();

/**
 * Returns a cache of the texts for positions in hundredths of a pixel. The lines of a plot need the same
 * texts in every frame. The cache is held by a weak reference: a notebook loads this module anew for every
 * widget, and never frees it.
 */
function textsAfter(before: "L" | " " | "H" | "V"): Known {
  const known = tables.get(before)?.deref();
  if (known) return known;
  const table = { before, texts: new Array<string>(MOST_KNOWN) };
  tables.set(before, new WeakRef(table));
  return table;
}
