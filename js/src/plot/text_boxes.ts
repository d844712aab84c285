// Texts on a plot as boxes, and the boxes and lines that they keep clear of; all in pixels.

import type { Pair } from "../base/pair.ts";
import { type Edges, heightAt } from "../evaluation/curve_lines.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Label, OperatingPoint } from "../evaluation/types.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import type { Run, Tone } from "../words/runs.ts";
import { type Box, boxOf, fromX, grow, overlap, type Square, toX, toY } from "./geometry.ts";

type Rates = Pick<OperatingPoint, "fpr" | "fprLower" | "fprUpper" | "tpr" | "tprLower" | "tprUpper">;

/** The lines that texts keep clear of. */
export interface Scene {
  square: Square;
  curve: Line;
  /** The bands that are drawn with limits. */
  bounded: { label: Label; edges: Edges }[];
  point: Rates;
  /** Which limits the arms of the operating point have, per label. */
  sides: Pair<Sides>;
  /** The comparators that are drawn. */
  others: { name: string; of: string; upper: Line; lower: Line; tone: Tone }[];
}

/** A vertical line from a line of the plot to its name; without length there is none to see. */
export interface Leader {
  x: number;
  from: number;
  to: number;
  tone: Tone;
}

export interface PlacedText {
  lines: Run[][];
  anchor: "start" | "middle" | "end";
  box: Box;
  leader: Leader | null;
}

export const LINE_HEIGHT = 16;
export const CLEARANCE = 4;
export const WORD_SPACING = 12;
const CHAR_WIDTH = 6.7;
const STRONG_CHAR_WIDTH = 7.3;
/** The middle of the word “chance”: pixels right of and below the chance line, and half its extent. */
export const CHANCE = { fpr: 0.2, offset: 7, radius: 19 };

export interface Corner {
  x: number;
  top: number;
  anchor: PlacedText["anchor"];
}

// ---- boxes

export function textAt(lines: Run[][], { x, top, anchor }: Corner, size = sizeOf(lines)): PlacedText {
  const { width, height } = size;
  const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
  return { lines, anchor, box: { left, top, right: left + width, bottom: top + height }, leader: null };
}

/** An estimate on the wide side, so that no layout of the page is forced and a wider font still fits. */
export function sizeOf(lines: Run[][]): { width: number; height: number } {
  const widthOf = (run: Run) => run.text.length * (run.strong ? STRONG_CHAR_WIDTH : CHAR_WIDTH);
  const widths = lines.map((runs) => runs.reduce((sum, run) => sum + widthOf(run), 0));
  return { width: Math.max(...widths), height: lines.length * LINE_HEIGHT };
}

export const isFree = (box: Box, obstacles: Box[]) => !obstacles.some((obstacle) => overlap(box, obstacle));

export function boxesOf(texts: PlacedText[]): Box[] {
  return texts.flatMap(({ box, leader }) => (leader ? [box, leaderBox(leader)] : [box]));
}

export const leaderBox = ({ x, from, to }: Leader): Box => ({
  left: x - 3,
  right: x + 3,
  top: Math.min(from, to),
  bottom: Math.max(from, to),
});

export function chanceBox(square: Square): Box {
  const x = toX(square, CHANCE.fpr) + CHANCE.offset;
  const y = toY(square, CHANCE.fpr) + CHANCE.offset;
  return grow({ left: x, right: x, top: y, bottom: y }, CHANCE.radius);
}

/** How many lines pass through the box; the observed curve counts as three. */
export function linesCovered(box: Box, { square, curve, bounded, others }: Scene): number {
  const [left, right] = [fromX(square, box.left), fromX(square, box.right)];
  const passes = (start: number, end: number) =>
    toY(square, start) > box.top && toY(square, end) < box.bottom ? 1 : 0;
  const rises = (line: Line) => passes(heightAt(line, left), heightAt(line, right));
  const bands = [...bounded.map(({ edges }) => edges), ...others];
  const edges = bands.flatMap(({ upper, lower }) => [upper, lower]);
  return passes(left, right) + 3 * rises(curve) + edges.reduce((sum, edge) => sum + rises(edge), 0);
}

export function crossBoxes({
  square,
  point,
  sides: [level, upright],
}: Scene): Record<"upright" | "level" | "handle", Box> {
  const x = toX(square, point.fpr);
  const y = toY(square, point.tpr);
  const { left, right, top, bottom } = boxOf(square);
  return {
    upright: {
      left: x - 6,
      right: x + 6,
      top: upright[1] ? toY(square, point.tprUpper) - 1 : top,
      bottom: upright[0] ? toY(square, point.tprLower) + 1 : bottom,
    },
    level: {
      left: level[0] ? toX(square, point.fprLower) - 1 : left,
      right: level[1] ? toX(square, point.fprUpper) + 1 : right,
      top: y - 6,
      bottom: y + 6,
    },
    handle: { left: x - 11, right: x + 11, top: y - 11, bottom: y + 11 },
  };
}

export const armBoxes = (scene: Scene) => Object.values(crossBoxes(scene));
