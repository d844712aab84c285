// A view's lines in fractions of its axes.

import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { ViewCurve, ViewTable } from "../evaluation/view_curves.ts";

/** So far beyond the axes, in their lengths, lines are drawn; the plot clips them at its edge. */
const BEYOND = 1;

export function unitCurve(
  { line, edges, track, baseline, counts }: ViewCurve,
  { across, up }: Pick<ViewTable, "across" | "up">,
): ViewCurve {
  const [x, y] = [across, up].map(
    ([low, high]) =>
      (value: number) =>
        clamp((value - low) / (high - low), -BEYOND, 1 + BEYOND),
  );
  const scaled = (of: Line): Line => ({ x: of.x.map(x), y: of.y.map(y) });
  return {
    line: scaled(line),
    edges: { upper: scaled(edges.upper), lower: scaled(edges.lower) },
    track: scaled(track),
    baseline: scaled(baseline),
    counts: scaled(counts),
  };
}

/** Of a place on an axis; no further than its ends. */
export const fraction = (value: number, [low, high]: Pair<number>) =>
  clamp((value - low) / (high - low), 0, 1);
