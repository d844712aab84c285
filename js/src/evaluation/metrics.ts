// Metrics at the operating point, each with the range of the ideal model's.

import { informativeSides } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { type IdealCurve, idealLimits } from "./ideal_curve.ts";
import type { Evaluation, Frame, Label, OperatingPoint } from "./types.ts";
import { jointSides, type Sides, sidesOf } from "./vacuous.ts";

/** A figure at the operating point, and where the ideal model's lies. */
export interface Metric {
  name:
    | "sensitivity"
    | "specificity"
    | "precision"
    | "youden"
    | "auc"
    | "gain"
    | "net_benefit"
    | "average_precision";
  /** Null where it is undefined, or cannot be observed. */
  observed: number | null;
  range: Pair<number>;
  /** Which ends of the range are limits. */
  sides: Sides;
  /** The smallest and the largest possible value. */
  scale: Pair<number>;
}

/** Sensitivity or specificity as it is observed, and its limits. */
export interface Rate {
  observed: number;
  lower: number;
  upper: number;
  sides: Sides;
}

/** Sensitivity for label 1, specificity for label 0, with its limits. */
export function rateAt(label: Label, frame: Frame, point: OperatingPoint): Rate {
  const { tpr, tprLower, tprUpper, fpr, fprLower, fprUpper } = point;
  const [low, high] = sidesOf(frame, label);
  return label === 1
    ? { observed: tpr, lower: tprLower, upper: tprUpper, sides: [low, high] }
    : { observed: 1 - fpr, lower: 1 - fprUpper, upper: 1 - fprLower, sides: [high, low] };
}

const NONE: Sides = [false, false];
/** Ends of the axis of gains: more than half the way from chance to perfection is rarely left. */
const GAINS: Pair<number> = [-0.25, 0.25];

export function metricsOf({ nTest, auc }: Evaluation, frame: Frame, point: OperatingPoint): Metric[] {
  const { tprLower, tprUpper, fprLower, fprUpper, precision, youden } = point;
  const ownRate = (name: "sensitivity" | "specificity", label: Label): Metric => {
    const { observed, lower, upper, sides } = rateAt(label, frame, point);
    return { name, observed, range: [lower, upper], sides, scale: [0, 1] };
  };
  const precisions = precisionRange(nTest, point);
  const joint = jointSides(frame);
  const metrics: Metric[] = [
    ownRate("sensitivity", 1),
    ownRate("specificity", 0),
    {
      name: "precision",
      observed: precision,
      range: precisions ?? [0, 1],
      sides: precisions ? joint : NONE,
      scale: [0, 1],
    },
    {
      name: "youden",
      observed: youden,
      range: [tprLower - fprUpper, tprUpper - fprLower],
      sides: joint,
      scale: [-1, 1],
    },
    { name: "auc", observed: auc, range: frame.auc, sides: joint, scale: [0, 1] },
  ];
  return metrics.map((metric) => ({
    ...metric,
    sides: informativeSides(metric.sides, metric.range, metric.scale),
  }));
}

/** The ideal model's own curve beside this classifier's: its area, its sensitivity at the point's rate, and the gain. */
export function idealMetrics(ideal: IdealCurve, auc: number, { tpr, fpr }: OperatingPoint): Metric[] {
  const sides: Sides = [true, true];
  return [
    { name: "auc", observed: auc, range: ideal.auc, sides, scale: [0, 1] },
    { name: "sensitivity", observed: tpr, range: idealLimits(ideal, fpr), sides, scale: [0, 1] },
    { name: "gain", observed: null, range: ideal.gain, sides, scale: GAINS },
  ];
}

/**
 * Range of the precision over all counts of the ideal model that both intervals allow; null if it calls nothing
 * positive.
 */
export function precisionRange(
  [n0, n1]: Pair<number>,
  { tprLower, tprUpper, fprLower, fprUpper }: OperatingPoint,
): Pair<number> | null {
  const lower = share(n1 * tprLower, n0 * fprUpper);
  const upper = share(n1 * tprUpper, n0 * fprLower);
  // If nothing is called positive at one corner, the points beside it decide.
  if (lower === null && upper === null) return null;
  return [lower ?? 1, upper ?? 0];
}

function share(truePositives: number, falsePositives: number): number | null {
  const called = truePositives + falsePositives;
  return called > 0 ? truePositives / called : null;
}
