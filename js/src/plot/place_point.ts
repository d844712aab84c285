// The texts at the operating point: values at the ends of its arms, or one callout where the arms are short.

import { rate, thresholdText } from "../base/format.ts";
import { clamp } from "../base/scale.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import { pointLines } from "../words/plot_captions.ts";
import { type Run, strong } from "../words/runs.ts";
import { type Box, boxOf, contains, grow, toX, toY } from "./geometry.ts";
import {
  armBoxes,
  boxesOf,
  CLEARANCE,
  type Corner,
  isFree,
  linesCovered,
  type PlacedText,
  type Scene,
  sizeOf,
  textAt,
} from "./text_boxes.ts";

const SHORTEST_ARM = 96;
const GRID = 8;

/** A scene with the threshold of its operating point. */
export interface PointScene extends Scene {
  threshold: number;
  /** In place of the limits of both rates. */
  pointWords?: Run[][];
}

export function pointTexts(scene: PointScene, taken: Box[]): PlacedText[] {
  const lines = scene.pointWords ?? pointLines(scene.point, scene.sides, scene.threshold);
  const atEnds = !scene.pointWords && hasLongArms(scene) ? endValues(scene, taken) : null;
  if (atEnds) return atEnds;
  const all = callout(lines, scene, taken);
  return all.length > 0 ? all : callout(lines.slice(0, 1), scene, taken);
}

/** An arm that goes on to an axis is long enough. */
function hasLongArms({ point, sides, square }: Scene): boolean {
  const isLong = ([lower, upper]: Sides, from: number, to: number) =>
    !lower || !upper || (to - from) * square.size >= SHORTEST_ARM;
  return isLong(sides[1], point.tprLower, point.tprUpper) && isLong(sides[0], point.fprLower, point.fprUpper);
}

/** null if one of the values finds no room. */
function endValues(scene: PointScene, taken: Box[]): PlacedText[] | null {
  const { square, point, sides, threshold } = scene;
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
  const [level, upright] = sides;
  if (upright[1])
    wishes.push([strong(rate(point.tprUpper), "label1"), beside([upper + 2, upper - 8, upper - 18])]);
  if (upright[0])
    wishes.push([strong(rate(point.tprLower), "label1"), beside([lower - 8, lower - 18, lower + 2])]);
  if (level[0]) wishes.push([strong(rate(point.fprLower), "label0"), under(toX(square, point.fprLower))]);
  if (level[1]) wishes.push([strong(rate(point.fprUpper), "label0"), under(toX(square, point.fprUpper))]);
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

/** The free spot nearest to the point; one that covers fewer lines counts as nearer. */
export function callout(lines: Run[][], scene: Scene, taken: Box[]): PlacedText[] {
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
