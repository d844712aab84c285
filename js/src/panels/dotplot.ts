// Draws points as stacks of dots. If there are too many, it draws bars.

import { partitionPoint } from "../base/bisect.ts";
import { clamp } from "../base/scale.ts";
import type { Points } from "./strip_axis.ts";

/** The points of a strip as dots or bars. Points between two chosen values are drawn dark, and all others faint. */
export interface Marks {
  kind: "dots" | "bars";
  /** The width of a dot, or of a bar with its gap, in pixels. */
  pitch: number;
  /** The number of points before the start of the axis, and after its end. */
  before: number;
  after: number;
  /** Returns the path of the points from `from` to `to`, both included, and the path of all others. */
  split(from: number, to: number): { inside: string; outside: string };
}

export interface StripSize {
  width: number;
  /** The height available for the stacks above the baseline, in pixels. */
  height: number;
  baseline: number;
}

const PITCHES = [4.5, 4, 3.5, 3, 2.5, 2, 1.5];
const MOST_DOTS = 2000;
/** If a strip has fewer points than this, its dots are large, even if another strip has small ones. */
const FEW = 50;
const BAR_PITCH = 4;
const BAR_GAP = 1;

/**
 * Returns the marks of several strips. A strip with few points has large dots. All other strips have dots of
 * one width or, if their points do not fit, bars. If a strip has too many points, or only some of its points
 * were sent, all strips have bars.
 */
export function marksOf(
  strips: readonly Points[],
  toFraction: (value: number) => number,
  size: StripSize,
): Marks[] {
  const placed = strips.map((points) => place(points, toFraction, size.width));
  const complete = strips.every(({ n, values }) => n === values.length && n <= MOST_DOTS);
  if (!complete) return placed.map((points) => barMarks(points, size));
  const isLarge = (points: Placed) => points.n < FEW && fits(points, PITCHES[0], size);
  const others = placed.filter((points) => !isLarge(points));
  const pitch = PITCHES.find((each) => others.every((points) => fits(points, each, size)));
  return placed.map((points) => {
    if (isLarge(points)) return dotMarks(points, PITCHES[0], size);
    return pitch === undefined ? barMarks(points, size) : dotMarks(points, pitch, size);
  });
}

/** The points on the axis in ascending order, with their positions in pixels. */
interface Placed {
  n: number;
  values: ArrayLike<number>;
  /** Index of the first point on the axis. `end` is the index after the last one. */
  start: number;
  end: number;
  x: Float64Array;
}

function place({ n, values }: Points, toFraction: (value: number) => number, width: number): Placed {
  const x = Float64Array.from(values, (value) => toFraction(value) * width);
  let start = 0;
  while (start < x.length && x[start] < 0) start++;
  let end = x.length;
  while (end > start && x[end - 1] > width) end--;
  return { n, values, start, end, x };
}

function columnOf(x: number, pitch: number, width: number): number {
  return Math.min(Math.floor(x / pitch), Math.floor(width / pitch) - 1);
}

function fits({ start, end, x }: Placed, pitch: number, { width, height }: StripSize): boolean {
  const tallest = Math.floor(height / pitch);
  let column = -1;
  let stack = 0;
  for (let i = start; i < end; i++) {
    const here = columnOf(x[i], pitch, width);
    stack = here === column ? stack + 1 : 1;
    column = here;
    if (stack > tallest) return false;
  }
  return true;
}

function dotMarks(points: Placed, pitch: number, { width, baseline }: StripSize): Marks {
  const { start, end, x, values } = points;
  const ends = new Uint32Array(end - start + 1);
  const dots: string[] = [];
  let [column, stack, length] = [-1, 0, 0];
  for (let i = start; i < end; i++) {
    const here = columnOf(x[i], pitch, width);
    stack = here === column ? stack + 1 : 0;
    column = here;
    const dot = `M${round((here + 0.5) * pitch)} ${round(baseline - (stack + 0.5) * pitch)}h0`;
    dots.push(dot);
    length += dot.length;
    ends[i - start + 1] = length;
  }
  const path = dots.join("");
  return {
    kind: "dots",
    pitch,
    ...offTheAxis(points),
    split(from, to) {
      const first = ends[within(firstAtLeast(values, from)) - start];
      const last = Math.max(first, ends[within(firstAbove(values, to)) - start]);
      return { inside: path.slice(first, last), outside: path.slice(0, first) + path.slice(last) };
    },
  };

  function within(index: number): number {
    return clamp(index, start, end);
  }
}

function barMarks(points: Placed, { width, height, baseline }: StripSize): Marks {
  const columns = Math.max(1, Math.floor(width / BAR_PITCH));
  const pitch = width / columns;
  const { start, end, x, values } = points;
  const counts = new Uint32Array(columns);
  for (let i = start; i < end; i++) counts[columnOf(x[i], pitch, width)] += 1;
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  return {
    kind: "bars",
    pitch,
    ...offTheAxis(points),
    split(from, to) {
      const first = firstAtLeast(values, from);
      const last = firstAbove(values, to);
      const left = first < x.length ? x[first] : width;
      const right = last > 0 ? x[last - 1] : 0;
      let [inside, outside] = ["", ""];
      for (let column = 0; column < columns; column++) {
        if (counts[column] === 0) continue;
        const tall = round(Math.max((height * counts[column]) / most, 0.5));
        const [a, b] = [column * pitch, (column + 1) * pitch - BAR_GAP];
        const [c, d] = last > first ? [clamp(left, a, b), clamp(right, a, b)] : [b, b];
        inside += bar(c, d, tall, baseline);
        outside += bar(a, c, tall, baseline) + bar(Math.max(c, d), b, tall, baseline);
      }
      return { inside, outside };
    },
  };
}

function bar(left: number, right: number, tall: number, baseline: number): string {
  return right > left ? `M${round(left)} ${baseline}v${-tall}h${round(right - left)}v${tall}z` : "";
}

/** Returns the number of points before and after the axis. If only some points were sent, each stands for several. */
function offTheAxis({ n, start, end, values }: Placed): { before: number; after: number } {
  const each = values.length > 0 ? n / values.length : 0;
  return { before: Math.round(start * each), after: Math.round((values.length - end) * each) };
}

const round = (value: number) => Math.round(100 * value) / 100;

export const firstAtLeast = (sorted: ArrayLike<number>, value: number) =>
  partitionPoint(sorted.length, (i) => sorted[i] < value);

export const firstAbove = (sorted: ArrayLike<number>, value: number) =>
  partitionPoint(sorted.length, (i) => sorted[i] <= value);
