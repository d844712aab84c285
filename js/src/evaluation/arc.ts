// Arc: the stretch of the observed curve on which an ideal recalibration stands, at a place that is not known.

import { partitionPoint } from "../base/bisect.ts";
import type { Line } from "./observed_curve.ts";
import type { OperatingPoint } from "./types.ts";

/** The arc: from the point of the lower counts to that of the upper ones, along the vertices that are sent. */
export function arcOf({ x, y }: Line, point: OperatingPoint): Line {
  const { fprLower, tprLower, fprUpper, tprUpper } = point;
  const first = partitionPoint(x.length, (i) => x[i] <= fprLower && y[i] <= tprLower);
  const end = partitionPoint(x.length, (i) => x[i] < fprUpper || y[i] < tprUpper);
  const between = Math.max(end - first, 0);
  const arc = { x: new Float64Array(between + 2), y: new Float64Array(between + 2) };
  arc.x.set([fprLower, ...x.subarray(first, first + between), fprUpper]);
  arc.y.set([tprLower, ...y.subarray(first, first + between), tprUpper]);
  return arc;
}
