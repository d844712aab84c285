// Counts the undecided test points, whose interval contains the threshold. Their true risk may be above or below it. In
// Python: `undecided` in at_alpha.py.

import { partitionPoint } from "../base/bisect.ts";
import { logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { TIE } from "../base/ties.ts";
import type { Confusion, Evaluation, Frame, OperatingPoint } from "./types.ts";

/** Whether the limits come from an interval for each test point. Limits with the guarantee "curve" do not. */
export const hasOwnIntervals = ({ kind }: Pick<Frame, "kind">) => kind !== "curve";

/**
 * Returns the number of undecided test points for each label. This number divided by the number of the
 * label's points is the width of the band at the threshold.
 */
export function undecidedOf(
  { nTest, unit }: Evaluation,
  { fprLower, fprUpper, tprLower, tprUpper }: OperatingPoint,
): Pair<number> {
  return [
    Math.round(nTest[0] * unit * (fprUpper - fprLower)),
    Math.round(nTest[1] * unit * (tprUpper - tprLower)),
  ];
}

/**
 * Returns the confusion matrix of the decided points. A point is decided if neither its interval as label 0 nor its
 * interval as label 1 contains the threshold. Both must be checked, because in use no label is known. Null if the page
 * lacks an interval.
 */
export function leftOver(
  evaluation: Evaluation,
  { orderStatistics }: Frame,
  threshold: number,
  point: OperatingPoint,
): Confusion | null {
  const { nTest, unit, centres, simultaneous } = evaluation;
  if (simultaneous) {
    // For an ideal recalibration, all rows with the same score have the same interval, whatever their label.
    const { fprLower, fprUpper, tprLower, tprUpper } = point;
    const [zeros, ones] = [nTest[0] * unit, nTest[1] * unit];
    return {
      tp: Math.round(ones * tprLower),
      fn: Math.round(ones * (1 - tprUpper)),
      fp: Math.round(zeros * fprLower),
      tn: Math.round(zeros * (1 - fprUpper)),
    };
  }
  if (!orderStatistics || centres?.some(({ n, values }) => values.length < n) !== false) return null;
  const at = logit(threshold) + TIE;
  const left = ([0, 1] as const).map((label): Pair<number> => {
    const { values } = centres[label];
    const firstAbove = (shift: number) => partitionPoint(values.length, (i) => values[i] + shift <= at);
    const [one, other] = orderStatistics.map(([low, high]) => [
      firstAbove(high.residual),
      firstAbove(low.residual),
    ]);
    const called = values.length - [point.fp, point.tp][label];
    const within = (from: number, to: number) => {
      const count = (a: number, b: number) => Math.max(Math.min(b, to) - Math.max(a, from), 0);
      const both = count(Math.max(one[0], other[0]), Math.min(one[1], other[1]));
      return to - from - count(one[0], one[1]) - count(other[0], other[1]) + both;
    };
    return [within(called, values.length), within(0, called)];
  });
  return { fp: left[0][0], tn: left[0][1], tp: left[1][0], fn: left[1][1] };
}
