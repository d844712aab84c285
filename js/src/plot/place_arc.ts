// The texts around an arc: its rates at the axes, its threshold, and what stands on it.

import { rate, thresholdText } from "../base/format.ts";
import { clamp } from "../base/scale.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { Evaluation, Frame, OperatingPoint } from "../evaluation/types.ts";
import { BOTH } from "../evaluation/vacuous.ts";
import { arcCaption, arcCorner, CURVE_CAPTION } from "../words/recalibration.ts";
import { strong } from "../words/runs.ts";
import type { CaptionPlaces, NamedCaption } from "./caption_places.ts";
import { type Box, boxOf, grow, type Square, toX, toY } from "./geometry.ts";
import { belowChance } from "./place_captions.ts";
import { callout } from "./place_point.ts";
import {
  boxesOf,
  CLEARANCE,
  chanceBox,
  LINE_HEIGHT,
  type PlacedText,
  type Scene,
  sizeOf,
  textAt,
  WORD_SPACING,
} from "./text_boxes.ts";

/** Without places the curve has no name. */
export function placeArcTexts(
  square: Square,
  curve: Line,
  arc: Line,
  { evaluation, frame }: { evaluation: Evaluation; frame: Frame },
  places: CaptionPlaces | null,
): PlacedText[] {
  const { point, threshold } = frame;
  const { right, bottom } = boxOf(square);
  const area = arcCorner(evaluation, frame);
  const corner = textAt(area, {
    x: right - CLEARANCE,
    top: bottom - 14 - sizeOf(area).height,
    anchor: "end",
  });
  const placed = [corner, ...endValues(square, point)];
  const { fpr, tpr } = point;
  const armless = { fpr, tpr, fprLower: fpr, fprUpper: fpr, tprLower: tpr, tprUpper: tpr };
  const scene: Scene = {
    square,
    curve,
    bounded: [],
    point: armless,
    sides: [BOTH, BOTH],
    others: [],
  };
  const isFar = fpr < 0.85;
  const name = textAt([[strong(`λ ${thresholdText(threshold)}`)]], {
    x: toX(square, fpr) + (isFar ? 16 : -16),
    top: toY(square, tpr) - 2,
    anchor: isFar ? "start" : "end",
  });
  placed.push(name);
  const named = placed.length;
  const lines = [chanceBox(square), ...arcBoxes(square, arc), ...hairlineBoxes(square, point)];
  const caption: NamedCaption = {
    name: "curve",
    caption: { lines: CURVE_CAPTION, line: curve, tone: "ink", rows: CURVE_ROWS },
    place: belowChance,
  };
  const kept = places?.kept([caption], scene, [...boxesOf(placed), ...lines]).values() ?? [];
  placed.push(...kept);
  const hasName = placed.length > named;
  placed.push(...callout(arcCaption(frame), scene, [...boxesOf(placed), ...lines]));
  if (hasName) return placed;
  const words = boxesOf(placed).map((box) => grow(box, WORD_SPACING));
  const text = places?.placed(caption, scene, [...words, ...lines]);
  return text ? [...placed, text] : placed;
}

/** Heights to try for the name of the curve, as fractions of the plot. */
const CURVE_ROWS = [0.5, 0.43, 0.57, 0.36, 0.64, 0.29];

/** From both ends of the arc to the axes. */
function hairlineBoxes(square: Square, point: OperatingPoint): Box[] {
  const { left, bottom } = boxOf(square);
  return [
    [point.fprLower, point.tprLower],
    [point.fprUpper, point.tprUpper],
  ].flatMap(([fpr, tpr]) => {
    const [x, y] = [toX(square, fpr), toY(square, tpr)];
    return [
      { left: x - 3, right: x + 3, top: y, bottom },
      { left, right: x, top: y - 3, bottom: y + 3 },
    ];
  });
}

/** The four rates: beside the bars on both axes, within the plot. */
function endValues(square: Square, { tprLower, tprUpper, fprLower, fprUpper }: OperatingPoint): PlacedText[] {
  const { left, right, top, bottom } = boxOf(square);
  const across = (value: number, x: number, anchor: "start" | "end") =>
    textAt([[strong(rate(value), "label0")]], { x, top: bottom - LINE_HEIGHT - 6, anchor });
  const up = (value: number, at: number) =>
    textAt([[strong(rate(value), "label1")]], {
      x: left + 8,
      top: clamp(at, top + 2, bottom - 2 * LINE_HEIGHT - 8),
      anchor: "start",
    });
  const [x0, x1] = [toX(square, fprLower), toX(square, fprUpper)];
  const lower = Math.max(x0 + 8, left + 8);
  const upper = Math.max(x1 + 8, lower + VALUE_WIDTH);
  return [
    up(tprUpper, toY(square, tprUpper) - LINE_HEIGHT - 3),
    up(tprLower, Math.max(toY(square, tprLower) + 4, toY(square, tprUpper) + 4)),
    across(fprLower, Math.min(lower, right - 2 * VALUE_WIDTH), "start"),
    upper + VALUE_WIDTH > right ? across(fprUpper, right - 6, "end") : across(fprUpper, upper, "start"),
  ];
}

const VALUE_WIDTH = 36;

/** The arc in short pieces that words keep clear of. */
function arcBoxes(square: Square, { x, y }: Line): Box[] {
  const step = Math.max(1, Math.floor(x.length / 24));
  const boxes: Box[] = [];
  for (let i = 0; i < x.length - 1; i += step) {
    const next = Math.min(i + step, x.length - 1);
    const box = {
      left: toX(square, x[i]),
      right: toX(square, x[next]),
      top: toY(square, y[next]),
      bottom: toY(square, y[i]),
    };
    boxes.push(grow(box, 6));
  }
  return boxes;
}
