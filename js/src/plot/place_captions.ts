// The names of the curve and of the bands: beside the curve, or below the chance line on leaders.

import { heightAt } from "../evaluation/curve_lines.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Run, Tone } from "../words/runs.ts";
import { type Box, boxOf, contains, fromX, grow, type Square, toX, toY } from "./geometry.ts";
import {
  armBoxes,
  CLEARANCE,
  type Corner,
  crossBoxes,
  isFree,
  type Leader,
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
  /** The other edge of a band: a leader's foot stands where there is height between them. */
  other?: Line;
  tone: Tone;
  /** Heights, as fractions of the plot, to try for the top of the text. */
  rows: number[];
}

/** Where a caption stands. */
export interface Spot extends Corner {
  gap: keyof typeof HUGS | null;
  /** The false positive rate at which a leader stands. */
  fpr: number | null;
  /** The first line stands alone. */
  isShort: boolean;
}

export type Place = (caption: Caption, scene: Scene, words: Box[]) => Spot | null;

/** Inside the bands, under the curve or above it. */
export const besideCurve: Place = (caption, scene, words) =>
  inGap(caption, "under", scene, words) ?? inGap(caption, "over", scene, words);

/**
 * Below the chance line, else on the lower edge of the band, else in the room between both, as steep curves leave it; in
 * fewer words where there is little room.
 */
export const outsideBand: Place = (caption, scene, words) => {
  const short = { ...caption, lines: caption.lines.slice(0, 1) };
  const asShort = (spot: Spot | null) => spot && { ...spot, isShort: true };
  return (
    belowChance(caption, scene, words) ??
    asShort(inGap(short, "edge", scene, words)) ??
    asShort(belowChance(short, scene, words)) ??
    onLeader(caption, scene, words, true, ABOVE) ??
    asShort(onLeader(short, scene, words, true, ABOVE))
  );
};

export function textOf(caption: Caption, spot: Spot, scene: Scene): PlacedText {
  const text = textAt(linesAt(caption, spot), spot);
  return spot.fpr === null || !caption.line
    ? text
    : { ...text, leader: leaderTo(caption.line, spot.fpr, text.box, caption.tone, scene.square) };
}

/** As long as a hand holds something: the text stays, if need be moved into the plot, and its leader follows the line. */
export function heldText(caption: Caption, spot: Spot, scene: Scene): PlacedText {
  const text = textOf(caption, spot, scene);
  const { left, right } = grow(boxOf(scene.square), -CLEARANCE);
  const by = Math.max(left - text.box.left, Math.min(0, right - text.box.right));
  return { ...text, box: { ...text.box, left: text.box.left + by, right: text.box.right + by } };
}

/** Whether a caption may stand where it stood before. */
export function isLegal(caption: Caption, spot: Spot, scene: Scene, words: Box[]): boolean {
  const text = textOf(caption, spot, scene);
  if (spot.gap === null) return isLegalLeader(text, caption, spot, scene, words);
  const [ceiling, floor] = gapAt(text.box, spot.gap, caption, scene);
  return text.box.top >= ceiling && text.box.bottom <= floor && isClear(text.box, scene, words);
}

const linesAt = ({ lines }: Caption, { isShort }: Spot) => (isShort ? lines.slice(0, 1) : lines);

// ---- the room between rising lines

/** To which line of a gap a caption is close. */
const HUGS = { under: "ceiling", over: "floor", edge: "floor" } as const;
const HUGGING_STEPS = 7;

/** Close under the ceiling or above the floor of a gap, at the first place from the left that no line runs through. */
function inGap(caption: Caption, gap: keyof typeof HUGS, scene: Scene, words: Box[]): Spot | null {
  if (gap === "edge" && !caption.line) return null;
  const bounds = grow(boxOf(scene.square), -CLEARANCE);
  const size = sizeOf(caption.lines);
  const { width, height } = size;
  for (let left = bounds.left; left + width <= bounds.right; left += GRID) {
    const [ceiling, floor] = gapAt({ left, right: left + width }, gap, caption, scene);
    for (let step = 0; step < HUGGING_STEPS; step++) {
      const top = HUGS[gap] === "ceiling" ? ceiling + step * GRID : floor - height - step * GRID;
      if (top < ceiling || top + height > floor) break;
      const corner = { x: left, top, anchor: "start" as const };
      if (isClear(textAt(caption.lines, corner, size).box, scene, words))
        return { ...corner, gap, fpr: null, isShort: false };
    }
  }
  return null;
}

/** Highest and lowest pixel of a text in a gap. */
function gapAt(
  { left, right }: Pick<Box, "left" | "right">,
  gap: keyof typeof HUGS,
  { line }: Caption,
  { square, curve, bounded }: Scene,
): [ceiling: number, floor: number] {
  const lines = {
    under: { ceilings: [curve], floors: bounded.map(({ edges }) => edges.lower) },
    over: { ceilings: bounded.map(({ edges }) => edges.upper), floors: [curve] },
    edge: { ceilings: [curve], floors: line ? [line] : [] },
  }[gap];
  const { top, bottom } = grow(boxOf(square), -CLEARANCE);
  return [
    Math.max(top, ...lines.ceilings.map((each) => pixelHeight(each, left, square) + CLEARANCE)),
    Math.min(bottom, ...lines.floors.map((each) => pixelHeight(each, right, square) - CLEARANCE)),
  ];
}

const isClear = (box: Box, scene: Scene, words: Box[]) =>
  isFree(box, [...words, ...armBoxes(scene)]) && linesCovered(box, scene) === 0;

const pixelHeight = (line: Line, x: number, square: Square) => toY(square, heightAt(line, fromX(square, x)));

// ---- on a leader, clear of the chance line

/** From 0.6 to the right, then from there to the left as far as the word “chance”. */
const LEADER_FPRS = [...steppedRange(0.6, 0.92, 0.02), ...steppedRange(0.58, 0.28, -0.02)];

function steppedRange(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
}

/** On which side of the chance line a text stands, and the feet and heights that are tried for it. */
interface Side {
  holds: (box: Box, scene: Scene) => boolean;
  fprs: number[];
  rows?: number[];
}

const BELOW: Side = {
  holds: ({ left, top }, { square }) => top > toY(square, fromX(square, left)) + CLEARANCE,
  fprs: LEADER_FPRS,
};
const ABOVE: Side = {
  holds: (box, scene) =>
    box.bottom < toY(scene.square, fromX(scene.square, box.right)) - CLEARANCE &&
    linesCovered(box, scene) === 0,
  fprs: steppedRange(0.04, 0.6, 0.02),
  rows: steppedRange(0.9, 0.3, -0.05),
};

/** On a leader that crosses no arm of the operating point or, where there is none, on one that crosses the level arm. */
export const belowChance: Place = (caption, scene, words) =>
  onLeader(caption, scene, words, true) ?? onLeader(caption, scene, words, false);

function onLeader(
  caption: Caption,
  scene: Scene,
  words: Box[],
  clearOfLevel: boolean,
  side = BELOW,
): Spot | null {
  const { lines } = caption;
  const { square } = scene;
  const bounds = grow(boxOf(square), -CLEARANCE);
  const size = sizeOf(lines);
  const least = leastHeight(caption, square, side.fprs);
  for (const row of side.rows ?? caption.rows) {
    for (const fpr of side.fprs) {
      const x = toX(square, fpr);
      const fits = x + size.width <= bounds.right;
      const spot: Spot = {
        ...(fits ? { x, anchor: "start" } : { x: bounds.right, anchor: "end" }),
        top: toY(square, row),
        gap: null,
        fpr: caption.line ? fpr : null,
        isShort: false,
      };
      const text = textOf(caption, spot, scene);
      if (bandHeight(caption, fpr, square) < least || !side.holds(text.box, scene)) continue;
      if (isLegalLeader(text, caption, spot, scene, words, clearOfLevel)) return spot;
    }
  }
  return null;
}

function isLegalLeader(
  { box, leader }: PlacedText,
  caption: Caption,
  { fpr }: Spot,
  scene: Scene,
  words: Box[],
  clearOfLevel = false,
): boolean {
  const { square } = scene;
  const { upright, level, handle } = crossBoxes(scene);
  const crossesChance = !BELOW.holds(box, scene) && !ABOVE.holds(box, scene);
  if (crossesChance || !contains(grow(boxOf(square), -CLEARANCE), box)) return false;
  if (!isFree(box, [...words, upright, level, handle])) return false;
  if (fpr === null) return true;
  const foot = caption.line && toY(square, heightAt(caption.line, fpr));
  if (!leader || leader.from !== foot) return false;
  const length = leader.to - leader.from;
  if (length < LINE_HEIGHT || length > LONGEST_LEADER) return false;
  if (
    bandHeight(caption, fpr, square) <
    Math.min(SEEN, leastHeight(caption, square, [...BELOW.fprs, ...ABOVE.fprs]))
  )
    return false;
  const lanes = [...words.map((each) => grow(each, CLEARANCE - WORD_SPACING)), upright, handle];
  return isFree(leaderBox(leader), clearOfLevel ? [...lanes, level] : lanes);
}

/** From the line down to the text; up to it where the line has fallen below; none where it runs through the text. */
function leaderTo(line: Line, fpr: number, box: Box, tone: Tone, square: Square): Leader {
  const x = toX(square, fpr);
  const foot = toY(square, heightAt(line, fpr));
  if (foot > box.bottom) return { x, from: foot, to: box.bottom, tone };
  return { x, from: Math.min(foot, box.top), to: box.top, tone };
}

/** Pixels of a band's height: where it has fewer, a leader's foot seems to stand on the curve. */
const ROOMY = 24;
const SEEN = 6;

const bandHeight = ({ line, other }: Caption, fpr: number, { size }: Square) =>
  line && other ? (heightAt(other, fpr) - heightAt(line, fpr)) * size : Number.POSITIVE_INFINITY;

/** A band that is thin everywhere is pointed at where it is at least half as high as anywhere. */
function leastHeight(caption: Caption, square: Square, fprs: number[]): number {
  const heights = fprs.map((fpr) => bandHeight(caption, fpr, square));
  return Math.min(ROOMY, Math.max(...heights) / 2);
}
