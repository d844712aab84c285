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
import { createCaptionPlaces, type NamedCaption } from "./caption_places.ts";
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
  /** The names stand in a key below the plot. */
  hasKey?: boolean;
}

export function placeAnnotations(scene: PlotScene, places = createCaptionPlaces()): PlacedText[] {
  const chance = chanceBox(scene.square);
  const captions = scene.hasKey ? [] : captionsOf(scene);
  const corner = cornerText(scene.words?.corner ?? aucLines(scene), scene.square);
  const standing = places.kept(captions, scene, [corner.box, chance]);
  const kept = [...standing.values()];
  const aside = cornerAndPoint(scene, [chance, ...boxesOf(kept)]);
  const hasPoint = aside.length > 1;
  if (!hasPoint) standing.clear();
  const placed = hasPoint ? [...aside, ...kept] : cornerAndPoint(scene, [chance]);
  const names = new Set(standing.keys());
  for (const caption of captions) {
    if (names.has(caption.name)) continue;
    const words = boxesOf(placed).map((box) => grow(box, WORD_SPACING));
    const text = places.placed(caption, scene, [...words, chance]);
    if (!text) continue;
    placed.push(text);
    names.add(caption.name);
  }
  return placed;
}

/** In the order of their choice: the classifier’s has another one at the end, if it found no room beside its curve. */
function captionsOf(scene: PlotScene): NamedCaption[] {
  const classifier = { name: "classifier", caption: classifierCaption(scene) };
  return [
    { ...classifier, place: besideCurve },
    ...scene.bounded.map(({ label, edges }) => ({
      name: `label ${label}`,
      caption: bandCaption(label, edges, scene),
      place: outsideBand,
    })),
    ...scene.lacking.map((each) => ({
      name: `label ${each.label}`,
      caption: lackingCaption(each),
      place: outsideBand,
    })),
    ...scene.others.map((other) => ({
      name: other.name,
      caption: otherCaption(other),
      place: belowChance,
    })),
    { ...classifier, place: belowChance },
  ];
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
  /** The names stand in a key below the plot. */
  hasKey?: boolean;
}

export function placeAverageAnnotations(
  { square, curve, edges, reading, hasKey, ...words }: AverageScene,
  places = createCaptionPlaces(),
): PlacedText[] {
  const point = { ...reading, fprLower: reading.fpr, fprUpper: reading.fpr };
  const bounded = [{ label: 1 as const, edges }];
  const scene: Scene = { square, curve, bounded, point, sides: [BOTH, BOTH], others: [] };
  const x = toX(square, reading.fpr);
  const readingLine = { ...boxOf(square), left: x - 6, right: x + 6 };
  const corner = cornerText(words.corner, square);
  const lines = [chanceBox(square), readingLine];
  const caption: NamedCaption = {
    name: "average",
    caption: { lines: words.caption, line: edges.lower, other: edges.upper, tone: "label1", rows: BAND_ROWS },
    place: outsideBand,
  };
  const captions = hasKey ? [] : [caption];
  const kept = [...places.kept(captions, scene, [corner.box, ...lines]).values()];
  const placed = [corner, ...kept];
  placed.push(...callout(words.callout, scene, [...boxesOf(placed), ...lines]));
  if (kept.length > 0 || hasKey) return placed;
  const obstacles = boxesOf(placed).map((box) => grow(box, WORD_SPACING));
  const text = places.placed(caption, scene, [...obstacles, ...lines]);
  return text ? [...placed, text] : placed;
}

/** The operating point comes before what is said of the population. */
function cornerAndPoint(scene: PlotScene, taken: Box[]): PlacedText[] {
  const corner = cornerText(scene.words?.corner ?? aucLines(scene), scene.square);
  const point = pointTexts(scene, [corner.box, ...taken]);
  const hasRoom = point.length > 0 && corner.box.left >= scene.square.x0;
  if (hasRoom || scene.delong === null) return [corner, ...point];
  return cornerAndPoint({ ...scene, delong: null }, taken);
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
  { upper, lower }: Edges,
  { alpha, bounded, lacking, model, words }: PlotScene,
): Caption {
  const isOnly =
    bounded.every((band) => band.label === label) && lacking.every((band) => band.label === label);
  const lines = words?.caption ?? bandLines(label, alpha, isOnly, model);
  return { lines, line: lower, other: upper, tone: TONES[label], rows: BAND_ROWS };
}

function otherCaption({ name, of, upper, lower, tone }: Scene["others"][number]): Caption {
  const lines = comparatorLines(name, of, tone);
  return { lines, line: lower, other: upper, tone, rows: [0.64, 0.57, ...BAND_ROWS] };
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
