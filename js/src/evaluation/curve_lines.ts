// The lines of a plot: the edges of the bands over the observed curve, as fractions of the unit square.

import { partitionPoint } from "../base/bisect.ts";
import { remembered } from "../base/remembered.ts";
import type { Line } from "./observed_curve.ts";
import type { Frame, Label, Limits } from "./types.ts";

export interface Edges {
  upper: Line;
  lower: Line;
}

/** Edges of the band of a label: a threshold that moves leaves them as they are. */
export const edgesOf = (label: Label, { limits }: Frame, curve: Line): Edges =>
  (label === 1 ? sensitivityEdges : specificityEdges)(limits, curve);

/** The vertical band: limits of the sensitivity at each FPR of the observed curve. */
export const sensitivityEdges = remembered(
  ({ tprLower, tprUpper }: Limits, { x }: Line): Edges => ({
    upper: steps({ x, y: tprUpper }),
    lower: steps({ x, y: tprLower }),
  }),
);

/** The horizontal band: limits of the FPR at each TPR of the observed curve. */
export const specificityEdges = remembered(
  ({ fprLower, fprUpper }: Limits, { y }: Line): Edges => ({
    upper: steps({ x: fprLower, y }),
    lower: steps({ x: fprUpper, y }),
  }),
);

/** From each vertex first along x, then along y, to the next: a limit holds until the next FPR is reached. */
export function steps({ x, y }: Line): Line {
  const length = 2 * x.length - 1;
  const stepped = { x: new Float64Array(length), y: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    stepped.x[i] = x[(i + 1) >> 1];
    stepped.y[i] = y[i >> 1];
  }
  return stepped;
}

/** Height of a line at x; on a vertical piece, its upper end. */
export function heightAt({ x, y }: Line, atX: number): number {
  const i = partitionPoint(x.length, (k) => x[k] <= atX) - 1;
  if (i < 0) return y[0];
  if (i === x.length - 1) return y[i];
  return y[i] + ((atX - x[i]) / (x[i + 1] - x[i])) * (y[i + 1] - y[i]);
}
