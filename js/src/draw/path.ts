// Points as path data, in hundredths of a pixel.

import type { Area, Points } from "../scene.ts";
import { boxOf, fromX, fromY, type Scales } from "./scales.ts";

/** Steps shorter than this, in pixels, are not seen in an edge, nor in a band of many points while it moves. */
const FINEST = 0.25;
const FINEST_MOVING = 1;
const MANY = 1250;
/** Lines are drawn this far beyond the square, in lengths of its side, and cut off there. */
const BEYOND = 1;

export const pathOf = (points: Points, scales: Scales) => `M${textsOf(points, scales).join("").slice(1)}`;

/** The closed outline of a band, its upper edge forward and its lower one backward, and its edges that are limits. */
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

/** The points without steps shorter than `pixels`; the ends stay. */
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

/** Whether some of the points lie beyond the axes. */
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

/** Two pieces of path data a point, the first with "L" or what closes up to it. */
function textsOf({ x, y, step }: Points, { across, up, square }: Scales, isBackward = false): string[] {
  const n = x.length;
  // A step across that is read backward goes up first.
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
 * Texts of pixels by their hundredths, kept, as lines of a plot need the same ones in every frame; weakly, since a
 * notebook loads this module anew with every widget and never lets go of it.
 */
function textsAfter(before: "L" | " " | "H" | "V"): Known {
  const known = tables.get(before)?.deref();
  if (known) return known;
  const table = { before, texts: new Array<string>(MOST_KNOWN) };
  tables.set(before, new WeakRef(table));
  return table;
}
