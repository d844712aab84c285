// Where the texts on a plot stand, in pixels.

import type { Edges } from "../evaluation/curve_lines.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Label } from "../evaluation/types.ts";
import { BOTH } from "../evaluation/vacuous.ts";
import {
  type AucNumbers,
  aucLines,
  bandLines,
  CLASSIFIER_LINES,
  comparatorLines,
  missingCaption,
} from "../words/plot_captions.ts";
import { type Run, TONES } from "../words/runs.ts";
import { type Box, boxOf, grow, type Square, toX } from "./geometry.ts";
import { belowChance, besideCurve, type Caption, outsideBand } from "./place_captions.ts";
import { callout, type PointScene, pointTexts } from "./place_point.ts";
import {
  boxesOf,
  CLEARANCE,
  chanceBox,
  type PlacedText,
  type Scene,
  sizeOf,
  WORD_SPACING,
} from "./text_boxes.ts";

export interface PlotScene extends PointScene, AucNumbers {
  /** Whose rates the limits are for. */
  model: string;
  /** The bands that lack a limit, and the words about that. */
  lacking: { label: Label; words: readonly [string, string] }[];
  /** What is said in the corner and of the band, where it is not of a label. */
  words?: { corner: Run[][]; caption: Run[][] };
}

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
  for (const each of scene.lacking) add(outsideBand, lackingCaption(each));
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
  const scene: Scene = { square, curve, bounded, point, sides: [BOTH, BOTH], others: [] };
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
  const corner = cornerText(scene.words?.corner ?? aucLines(scene), scene.square);
  const point = pointTexts(scene, [corner.box, chance]);
  const hasRoom = point.length > 0 && corner.box.left >= scene.square.x0;
  if (hasRoom || scene.delong === null) return [corner, ...point];
  return cornerAndPoint({ ...scene, delong: null }, chance);
}

/** At the bottom right, where a curve seldom comes. */
function cornerText(lines: Run[][], square: Square): PlacedText {
  const { width, height } = sizeOf(lines);
  const right = square.x0 + square.size - CLEARANCE;
  const bottom = square.y0 - 14;
  const box = { left: right - width, top: bottom - height, right, bottom };
  return { lines, anchor: "end", box, leader: null };
}

// ---- the names of the curve and of the bands: their heights to try, as fractions of the plot

const BAND_ROWS = [0.43, 0.5, 0.36, 0.29, 0.22, 0.57, 0.64, 0.71];

function bandCaption(
  label: Label,
  lower: Line,
  { alpha, bounded, lacking, model, words }: PlotScene,
): Caption {
  const isOnly =
    bounded.every((band) => band.label === label) && lacking.every((band) => band.label === label);
  const lines = words?.caption ?? bandLines(label, alpha, isOnly, model);
  return { lines, line: lower, tone: TONES[label], rows: BAND_ROWS };
}

function otherCaption({ name, of, lower, tone }: Scene["others"][number]): Caption {
  return { lines: comparatorLines(name, of, tone), line: lower, tone, rows: [0.64, 0.57, ...BAND_ROWS] };
}

function lackingCaption({ label, words }: PlotScene["lacking"][number]): Caption {
  return {
    lines: missingCaption(words, label),
    line: null,
    tone: TONES[label],
    rows: [0.36, 0.3, 0.43, 0.24, 0.18],
  };
}

function classifierCaption({ curve }: PlotScene): Caption {
  return { lines: CLASSIFIER_LINES, line: curve, tone: "ink", rows: [0.2, 0.28, 0.14, ...BAND_ROWS] };
}
