// Finds the arc of a threshold, which is a part of the observed curve. An ideal recalibration replaces each
// score by P(y = 1 | score). This keeps the order of scores, so the recalibration's operating point at the
// threshold is on the observed curve. The limits tell between which two points it is. The part between them
// is the arc.

import { partitionPoint } from "../base/bisect.ts";
import type { Line } from "./observed_curve.ts";
import type { OperatingPoint } from "./types.ts";

/**
 * Returns the part of the observed curve from the point of both lower limits to the point of both upper
 * limits. Between these two points, the part follows the vertices that the kernel sent.
 */
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
