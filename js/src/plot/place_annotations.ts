// Where the words on the plot go: pure geometry in pixels, nothing drawn.

import { percent, range, rate, significance, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import { type Edges, heightAt } from "../evaluation/curve_lines.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Label, OperatingPoint } from "../evaluation/types.ts";
import type { Comparators } from "../wire/decode_comparators.ts";
import { nounOf } from "../words/one_evaluation.ts";
import { plain, type Run, strong, TONES, type Tone } from "../words/runs.ts";
import { type Box, boxOf, contains, fromX, grow, overlap, type Square, toX, toY } from "./geometry.ts";

type Rates = Pick<OperatingPoint, "fpr" | "fprLower" | "fprUpper" | "tpr" | "tprLower" | "tprUpper">;

/** The lines that words keep clear of. */
interface Scene {
  square: Square;
  curve: Line;
  /** The bands that are drawn with limits. */
  bounded: { label: Label; edges: Edges }[];
  point: Rates;
  /** Whether the arms of the operating point end anywhere, per label. */
  armless: Pair<boolean>;
  /** Other people's bands that are drawn. */
  others: { name: string; upper: Line; lower: Line; tone: Tone }[];
}

export interface PlotScene extends Scene {
  /** The bands that are drawn without limits. */
  unbounded: Label[];
  alpha: number;
  threshold: number;
  auc: number;
  /** null where the intervals say nothing about the AUC. */
  aucRange: Pair<number> | null;
  /** Where the AUC in the population lies, if that is known. */
  delong: Comparators["delong"];
}

/** A vertical line from what is named down to its name. */
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
const SHORTEST_ARM = 96;
/** A longer one would look like a line of the plot. */
const LONGEST_LEADER = 180;
const CLEARANCE = 4;
const WORD_SPACING = 12;
const GRID = 8;
const CHAR_WIDTH = 6.7;
const STRONG_CHAR_WIDTH = 7.3;
/** The middle of the word “chance”: pixels right of and below the chance line, and half its extent. */
export const CHANCE = { fpr: 0.2, offset: 7, radius: 19 };

export function placeAnnotations(scene: PlotScene): PlacedText[] {
  const chance = chanceBox(scene.square);
  const placed = cornerAndPoint(scene, chance);

  function add(place: (caption: Caption, scene: Scene, words: Box[]) => PlacedText | null, caption: Caption) {
    const words = boxesOf(placed).map((box) => grow(box, WORD_SPACING));
    const text = place(caption, scene, [...words, chance]);
    if (text) placed.push(text);
    return text !== null;
  }

  const classifier = classifierCaption(scene);
  const isInside = add(besideCurve, classifier);
  for (const { label, edges } of scene.bounded) add(outsideBand, bandCaption(label, edges.lower, scene));
  for (const label of scene.unbounded) add(outsideBand, unboundedCaption(label));
  for (const other of scene.others) add(belowChance, otherCaption(other));
  if (!isInside) add(belowChance, classifier);
  return placed;
}

export interface AverageScene {
  square: Square;
  curve: Line;
  edges: Edges;
  /** Where the averaged curve is read, and what is said of it, of the band, and of the area. */
  reading: { fpr: number; tpr: number; tprLower: number; tprUpper: number };
  callout: Run[][];
  caption: Run[][];
  corner: Run[][];
}

export function placeAverageAnnotations({
  square,
  curve,
  edges,
  reading,
  ...words
}: AverageScene): PlacedText[] {
  const point = { ...reading, fprLower: reading.fpr, fprUpper: reading.fpr };
  const bounded = [{ label: 1 as const, edges }];
  const scene: Scene = { square, curve, bounded, point, armless: [false, false], others: [] };
  const x = toX(square, reading.fpr);
  const readingLine = { ...boxOf(square), left: x - 6, right: x + 6 };
  const placed = [cornerText(words.corner, square)];
  placed.push(...callout(words.callout, scene, [...boxesOf(placed), chanceBox(square), readingLine]));
  const caption: Caption = { lines: words.caption, line: edges.lower, tone: "label1", rows: BAND_ROWS };
  const obstacles = boxesOf(placed).map((box) => grow(box, WORD_SPACING));
  const text = outsideBand(caption, scene, [...obstacles, chanceBox(square), readingLine]);
  return text ? [...placed, text] : placed;
}

/** The operating point comes before what is said of the population. */
function cornerAndPoint(scene: PlotScene, chance: Box): PlacedText[] {
  const corner = cornerText(aucLines(scene), scene.square);
  const point = pointTexts(scene, [corner.box, chance]);
  const hasRoom = point.length > 0 && corner.box.left >= scene.square.x0;
  if (hasRoom || scene.delong === null) return [corner, ...point];
  return cornerAndPoint({ ...scene, delong: null }, chance);
}

function aucLines({ auc, aucRange, delong, alpha }: PlotScene): Run[][] {
  const ideal = aucRange
    ? plain(`ideal model ${range(...aucRange)}`, "label1")
    : plain("ideal model: no limits", "muted");
  if (delong === null) return [[strong(`AUC ${rate(auc)}`)], [ideal]];
  const at = delong.alpha === alpha ? "" : ` (α ${significance(delong.alpha)})`;
  return [
    [strong(`AUC ${rate(auc)}`)],
    [ideal],
    [plain(`population, DeLong ${range(...delong.range)}${at}`, "muted")],
  ];
}

/** At the bottom right, where a curve seldom comes. */
function cornerText(lines: Run[][], square: Square): PlacedText {
  const { width, height } = sizeOf(lines);
  const right = square.x0 + square.size - CLEARANCE;
  const bottom = square.y0 - 14;
  const box = { left: right - width, top: bottom - height, right, bottom };
  return { lines, anchor: "end", box, leader: null };
}

// ---- the operating point: values at the ends of its arms, or one callout where the arms are short

function pointTexts(scene: PlotScene, taken: Box[]): PlacedText[] {
  return (hasLongArms(scene) ? endValues(scene, taken) : null) ?? callout(pointLines(scene), scene, taken);
}

function hasLongArms({ point, armless, square }: PlotScene): boolean {
  const vertical = (point.tprUpper - point.tprLower) * square.size;
  const horizontal = (point.fprUpper - point.fprLower) * square.size;
  return (armless[1] || vertical >= SHORTEST_ARM) && (armless[0] || horizontal >= SHORTEST_ARM);
}

interface Corner {
  x: number;
  top: number;
  anchor: PlacedText["anchor"];
}

/** null if one of the values finds no room. */
function endValues(scene: PlotScene, taken: Box[]): PlacedText[] | null {
  const { square, point, armless, threshold } = scene;
  const x = toX(square, point.fpr);
  const y = toY(square, point.tpr);
  const beside = (tops: number[]): Corner[] => [
    ...tops.map((top): Corner => ({ x: x + 13, top, anchor: "start" })),
    ...tops.map((top): Corner => ({ x: x - 13, top, anchor: "end" })),
  ];
  const under = (end: number): Corner[] =>
    [y + 8, y - 24].map((top) => ({
      x: clamp(end, square.x0 + 18, square.x0 + square.size - 18),
      top,
      anchor: "middle",
    }));
  const upper = toY(square, point.tprUpper);
  const lower = toY(square, point.tprLower);

  const wishes: [Run, Corner[]][] = [];
  if (!armless[1]) {
    wishes.push([strong(rate(point.tprUpper), "label1"), beside([upper + 2, upper - 8, upper - 18])]);
    wishes.push([strong(rate(point.tprLower), "label1"), beside([lower - 8, lower - 18, lower + 2])]);
  }
  if (!armless[0]) {
    wishes.push([strong(rate(point.fprLower), "label0"), under(toX(square, point.fprLower))]);
    wishes.push([strong(rate(point.fprUpper), "label0"), under(toX(square, point.fprUpper))]);
  }
  wishes.push([strong(`λ ${thresholdText(threshold)}`), beside([y + 8, y - 24, y + 24, y - 40])]);

  const obstacles = [...taken, ...armBoxes(scene)];
  const placed: PlacedText[] = [];
  for (const [run, corners] of wishes) {
    const free = corners
      .map((corner) => textAt([[run]], corner))
      .filter(({ box }) => contains(boxOf(square), box) && isFree(box, [...obstacles, ...boxesOf(placed)]));
    const text = free.find(({ box }) => linesCovered(box, scene) === 0) ?? free[0];
    if (!text) return null;
    placed.push(text);
  }
  return placed;
}

function pointLines({ point, armless, threshold }: PlotScene): Run[][] {
  const limits = (label: Label, lower: number, upper: number, tone: Tone) =>
    plain(armless[label] ? " no limits" : ` ${range(lower, upper)}`, tone);
  return [
    [strong(`λ ${thresholdText(threshold)}`)],
    [strong(`TPR ${rate(point.tpr)}`, "label1"), limits(1, point.tprLower, point.tprUpper, "label1")],
    [strong(`FPR ${rate(point.fpr)}`, "label0"), limits(0, point.fprLower, point.fprUpper, "label0")],
  ];
}

/** The free spot nearest to the point; one that covers fewer lines counts as nearer. */
function callout(lines: Run[][], scene: Scene, taken: Box[]): PlacedText[] {
  const { square, point } = scene;
  const { width, height } = sizeOf(lines);
  const bounds = grow(boxOf(square), -CLEARANCE);
  const obstacles = [...taken, ...armBoxes(scene)].map((box) => grow(box, CLEARANCE));
  const x = toX(square, point.fpr);
  const y = toY(square, point.tpr);
  let best: Corner | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let left = bounds.left; left + width <= bounds.right; left += GRID) {
    for (let top = bounds.top; top + height <= bounds.bottom; top += GRID) {
      const box = { left, top, right: left + width, bottom: top + height };
      const away = distance(x, y, box);
      if (away >= least || !isFree(box, obstacles)) continue;
      const cost = away + (square.size / 5) * linesCovered(grow(box, CLEARANCE), scene);
      if (cost < least) {
        least = cost;
        best = { x: left, top, anchor: "start" };
      }
    }
  }
  return best ? [textAt(lines, best)] : [];
}

function distance(x: number, y: number, box: Box): number {
  return Math.hypot(x - clamp(x, box.left, box.right), y - clamp(y, box.top, box.bottom));
}

function crossBoxes({ square, point, armless }: Scene): Record<"upright" | "level" | "handle", Box> {
  const x = toX(square, point.fpr);
  const y = toY(square, point.tpr);
  const { left, right, top, bottom } = boxOf(square);
  return {
    upright: {
      left: x - 6,
      right: x + 6,
      top: armless[1] ? top : toY(square, point.tprUpper) - 1,
      bottom: armless[1] ? bottom : toY(square, point.tprLower) + 1,
    },
    level: {
      left: armless[0] ? left : toX(square, point.fprLower) - 1,
      right: armless[0] ? right : toX(square, point.fprUpper) + 1,
      top: y - 6,
      bottom: y + 6,
    },
    handle: { left: x - 11, right: x + 11, top: y - 11, bottom: y + 11 },
  };
}

const armBoxes = (scene: Scene) => Object.values(crossBoxes(scene));

// ---- the curve and its bands

interface Caption {
  lines: Run[][];
  /** What the caption names; null where there is no line to point at. */
  line: Line | null;
  tone: Tone;
  /** Heights, as fractions of the plot, to try for the top of the text. */
  rows: number[];
}

const BAND_ROWS = [0.43, 0.5, 0.36, 0.29, 0.22, 0.57, 0.64, 0.71];

function bandCaption(label: Label, lower: Line, { alpha, bounded, unbounded }: PlotScene): Caption {
  const isOnly = bounded.length + unbounded.length === 1;
  const tone = TONES[label];
  const lines = isOnly
    ? [
        [strong(`${percent(1 - alpha)} conformal band`, tone)],
        [plain("where an ideal model’s", "muted")],
        [plain("curve lies", "muted")],
      ]
    : [[strong(`${percent(1 - alpha)} band, ${nounOf(label)}`, tone)]];
  return { lines, line: lower, tone, rows: BAND_ROWS };
}

function otherCaption({ name, lower, tone }: Scene["others"][number]): Caption {
  return {
    lines: [[strong(name, tone)], [plain("population", "muted")]],
    line: lower,
    tone,
    rows: [0.64, 0.57, ...BAND_ROWS],
  };
}

function unboundedCaption(label: Label): Caption {
  const lines = [[strong(`${nounOf(label)}: no limits`)], [plain("hatched, 0 to 1 everywhere", "muted")]];
  return { lines, line: null, tone: "ink", rows: [0.36, 0.3, 0.43, 0.24] };
}

function classifierCaption({ curve }: PlotScene): Caption {
  return {
    lines: [[strong("this classifier")]],
    line: curve,
    tone: "ink",
    rows: [0.2, 0.28, 0.14, ...BAND_ROWS],
  };
}

/** Inside the bands, under the curve or above it. */
function besideCurve(caption: Caption, scene: Scene, words: Box[]): PlacedText | null {
  const { curve, bounded } = scene;
  const uppers = bounded.map(({ edges }) => edges.upper);
  const lowers = bounded.map(({ edges }) => edges.lower);
  return (
    inGap(caption, { ceilings: [curve], floors: lowers, hugs: "ceiling" }, scene, words) ??
    inGap(caption, { ceilings: uppers, floors: [curve], hugs: "floor" }, scene, words)
  );
}

/** Below the chance line, else on the lower edge of the band; in fewer words where there is little room. */
function outsideBand(caption: Caption, scene: Scene, words: Box[]): PlacedText | null {
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
function belowChance(caption: Caption, scene: Scene, words: Box[]): PlacedText | null {
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

// ---- boxes

function textAt(lines: Run[][], { x, top, anchor }: Corner, size = sizeOf(lines)): PlacedText {
  const { width, height } = size;
  const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
  return { lines, anchor, box: { left, top, right: left + width, bottom: top + height }, leader: null };
}

/** An estimate on the wide side, so that no layout of the page is forced and a wider font still fits. */
function sizeOf(lines: Run[][]): { width: number; height: number } {
  const widthOf = (run: Run) => run.text.length * (run.strong ? STRONG_CHAR_WIDTH : CHAR_WIDTH);
  const widths = lines.map((runs) => runs.reduce((sum, run) => sum + widthOf(run), 0));
  return { width: Math.max(...widths), height: lines.length * LINE_HEIGHT };
}

const isFree = (box: Box, obstacles: Box[]) => !obstacles.some((obstacle) => overlap(box, obstacle));

function boxesOf(texts: PlacedText[]): Box[] {
  return texts.flatMap(({ box, leader }) => (leader ? [box, leaderBox(leader)] : [box]));
}

const leaderBox = ({ x, from, to }: Leader): Box => ({ left: x - 3, right: x + 3, top: from, bottom: to });

function chanceBox(square: Square): Box {
  const x = toX(square, CHANCE.fpr) + CHANCE.offset;
  const y = toY(square, CHANCE.fpr) + CHANCE.offset;
  return grow({ left: x, right: x, top: y, bottom: y }, CHANCE.radius);
}

/** How many lines pass through the box; the observed curve counts as three. */
function linesCovered(box: Box, { square, curve, bounded, others }: Scene): number {
  const [left, right] = [fromX(square, box.left), fromX(square, box.right)];
  const passes = (start: number, end: number) =>
    toY(square, start) > box.top && toY(square, end) < box.bottom ? 1 : 0;
  const rises = (line: Line) => passes(heightAt(line, left), heightAt(line, right));
  const bands = [...bounded.map(({ edges }) => edges), ...others];
  const edges = bands.flatMap(({ upper, lower }) => [upper, lower]);
  return passes(left, right) + 3 * rises(curve) + edges.reduce((sum, edge) => sum + rises(edge), 0);
}
