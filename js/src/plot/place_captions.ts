// The names of the curve and of the bands: beside the curve, or below the chance line on leaders.

import { heightAt } from "../evaluation/curve_lines.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Run, Tone } from "../words/runs.ts";
import { type Box, boxOf, contains, fromX, grow, type Square, toX, toY } from "./geometry.ts";
import {
  armBoxes,
  CLEARANCE,
  crossBoxes,
  isFree,
  LINE_HEIGHT,
  leaderBox,
  linesCovered,
  type PlacedText,
  type Scene,
  sizeOf,
  textAt,
  WORD_SPACING,
} from "./text_boxes.ts";

/** A longer one would look like a line of the plot. */
const LONGEST_LEADER = 180;
const GRID = 8;

export interface Caption {
  lines: Run[][];
  /** The line that the caption names; null where there is none to point at. */
  line: Line | null;
  tone: Tone;
  /** Heights, as fractions of the plot, to try for the top of the text. */
  rows: number[];
}

/** Inside the bands, under the curve or above it. */
export function besideCurve(caption: Caption, scene: Scene, words: Box[]): PlacedText | null {
  const { curve, bounded } = scene;
  const uppers = bounded.map(({ edges }) => edges.upper);
  const lowers = bounded.map(({ edges }) => edges.lower);
  return (
    inGap(caption, { ceilings: [curve], floors: lowers, hugs: "ceiling" }, scene, words) ??
    inGap(caption, { ceilings: uppers, floors: [curve], hugs: "floor" }, scene, words)
  );
}

/** Below the chance line, else on the lower edge of the band; in fewer words where there is little room. */
export function outsideBand(caption: Caption, scene: Scene, words: Box[]): PlacedText | null {
  const { lines, line } = caption;
  const short = { ...caption, lines: lines.slice(0, 1) };
  const onEdge = () =>
    line && inGap(short, { ceilings: [scene.curve], floors: [line], hugs: "floor" }, scene, words);
  return belowChance(caption, scene, words) ?? onEdge() ?? belowChance(short, scene, words);
}

/** The room between rising lines. */
interface Gap {
  ceilings: Line[];
  floors: Line[];
  hugs: "ceiling" | "floor";
}

const HUGGING_STEPS = 7;

/** Close under the ceiling or above the floor of a gap, at the first place from the left that no line runs through. */
function inGap({ lines }: Caption, gap: Gap, scene: Scene, words: Box[]): PlacedText | null {
  const { square } = scene;
  const bounds = grow(boxOf(square), -CLEARANCE);
  const size = sizeOf(lines);
  const { width, height } = size;
  const obstacles = [...words, ...armBoxes(scene)];
  for (let left = bounds.left; left + width <= bounds.right; left += GRID) {
    const right = left + width;
    const ceiling = Math.max(
      bounds.top,
      ...gap.ceilings.map((line) => pixelHeight(line, left, square) + CLEARANCE),
    );
    const floor = Math.min(
      bounds.bottom,
      ...gap.floors.map((line) => pixelHeight(line, right, square) - CLEARANCE),
    );
    for (let step = 0; step < HUGGING_STEPS; step++) {
      const top = gap.hugs === "ceiling" ? ceiling + step * GRID : floor - height - step * GRID;
      if (top < ceiling || top + height > floor) break;
      const text = textAt(lines, { x: left, top, anchor: "start" }, size);
      if (isFree(text.box, obstacles) && linesCovered(text.box, scene) === 0) return text;
    }
  }
  return null;
}

const pixelHeight = (line: Line, x: number, square: Square) => toY(square, heightAt(line, fromX(square, x)));

/** From 0.6 to the right, then from there to the left as far as the word “chance”. */
const LEADER_FPRS = [...steppedRange(0.6, 0.92, 0.02), ...steppedRange(0.58, 0.28, -0.02)];

function steppedRange(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
}

/** On a leader that crosses no arm of the operating point or, where there is none, on one that crosses the level arm. */
export function belowChance(caption: Caption, scene: Scene, words: Box[]): PlacedText | null {
  const { upright, level, handle } = crossBoxes(scene);
  const textObstacles = [...words, upright, level, handle];
  const lanes = [...words.map((box) => grow(box, CLEARANCE - WORD_SPACING)), upright, handle];
  return (
    onLeader(caption, scene.square, textObstacles, [...lanes, level]) ??
    onLeader(caption, scene.square, textObstacles, lanes)
  );
}

function onLeader(
  { lines, line, tone, rows }: Caption,
  square: Square,
  textObstacles: Box[],
  leaderObstacles: Box[],
): PlacedText | null {
  const bounds = grow(boxOf(square), -CLEARANCE);
  const size = sizeOf(lines);
  for (const row of rows) {
    for (const fpr of LEADER_FPRS) {
      const x = toX(square, fpr);
      const top = toY(square, row);
      const fits = x + size.width <= bounds.right;
      const text = textAt(
        lines,
        fits ? { x, top, anchor: "start" } : { x: bounds.right, top, anchor: "end" },
        size,
      );
      const isBelowChance = top > toY(square, fromX(square, text.box.left)) + CLEARANCE;
      if (!isBelowChance || !contains(bounds, text.box) || !isFree(text.box, textObstacles)) continue;
      if (!line) return text;
      const leader = { x, from: toY(square, heightAt(line, fpr)), to: top, tone };
      const length = leader.to - leader.from;
      if (length < LINE_HEIGHT || length > LONGEST_LEADER) continue;
      if (isFree(leaderBox(leader), leaderObstacles)) return { ...text, leader };
    }
  }
  return null;
}
