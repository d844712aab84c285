import type { Edges } from "../evaluation/curve_lines.ts";
import type { Line } from "../evaluation/observed_curve.ts";

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

/** Path data of a line, in hundredths of a pixel. */
export const pathOf = (line: Line, square: Square) => `M${textsOf(line, square).join("").slice(1)}`;

/** In pixels: smaller steps are not seen in an edge, nor in a line of many points while it moves. */
const FINEST = 0.25;
const FINEST_MOVING = 1;
const MANY = 2500;

/** Path data of the two edges of a band, and of its closed outline: the upper edge forward, the lower one backward. */
export function bandPaths(
  { upper, lower }: Edges,
  square: Square,
  isMoving = false,
): Record<keyof Edges | "outline", string> {
  const isRough = isMoving && upper.x.length > MANY;
  const edge = (line: Line) => pathOf(coarse(line, square, isRough ? FINEST_MOVING : FINEST), square);
  const side = (line: Line) => (isRough ? coarse(line, square, FINEST_MOVING) : line);
  const outline = textsOf(side(upper), square)
    .concat(textsOf(side(lower), square, true))
    .join("");
  return { upper: edge(upper), lower: edge(lower), outline: `M${outline.slice(1)}Z` };
}

/** The line without steps shorter than `pixels`; its ends stay. */
export function coarse({ x, y }: Line, { size }: Square, pixels: number): Line {
  const least = pixels / size;
  const n = x.length;
  const coarser = { x: new Float64Array(n), y: new Float64Array(n) };
  let count = 0;
  for (let i = 0; i < n; i++) {
    const isEnd = i === 0 || i === n - 1;
    const isShort = (of: Float64Array, last: Float64Array) => Math.abs(of[i] - last[count - 1]) < least;
    if (!isEnd && isShort(x, coarser.x) && isShort(y, coarser.y)) continue;
    coarser.x[count] = x[i];
    coarser.y[count] = y[i];
    count += 1;
  }
  return { x: coarser.x.subarray(0, count), y: coarser.y.subarray(0, count) };
}

/** "L", x, " " and y of each point. */
function textsOf({ x, y }: Line, { x0, y0, size }: Square, isBackward = false): string[] {
  const n = x.length;
  const [across, up] = [knownTexts("L"), knownTexts(" ")];
  const texts = new Array<string>(2 * n);
  for (let i = 0; i < n; i++) {
    const from = isBackward ? n - 1 - i : i;
    texts[2 * i] = textAt(across, "L", x0 + x[from] * size);
    texts[2 * i + 1] = textAt(up, " ", y0 - y[from] * size);
  }
  return texts;
}

type Prefix = "L" | " ";

function textAt(known: string[], before: Prefix, pixels: number): string {
  const at = Math.round(100 * pixels);
  if (!(at >= 0 && at < MOST_KNOWN)) return before + at / 100;
  known[at] ??= before + at / 100;
  return known[at];
}

const MOST_KNOWN = 65536;
const tables = new Map<Prefix, WeakRef<string[]>>();

/**
 * Texts of pixels by their hundredths: the lines of a plot meet the same ones in every frame. Kept weakly, since a
 * notebook loads this module anew with every widget and never lets go of it.
 */
function knownTexts(before: Prefix): string[] {
  const known = tables.get(before)?.deref();
  if (known) return known;
  const table = new Array<string>(MOST_KNOWN);
  tables.set(before, new WeakRef(table));
  return table;
}
