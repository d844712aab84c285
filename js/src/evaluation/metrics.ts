// Computes the metrics at the operating point, each with its range for the ideal model.

import { informativeSides } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { type IdealCurve, idealLimits } from "./ideal_curve.ts";
import { precisionLimits } from "./precision_recall.ts";
import type { Evaluation, Frame, Label, OperatingPoint } from "./types.ts";
import { jointSides, type Sides, sidesOf } from "./vacuous.ts";

/** A metric at the operating point, and its range for the ideal model. */
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
  /** Null if the metric is undefined or cannot be observed. */
  observed: number | null;
  range: Pair<number>;
  /** Which ends of the range are limits. The other ends are the smallest or largest possible value. */
  sides: Sides;
  /** The smallest and the largest possible value of the metric. */
  scale: Pair<number>;
}

/** The observed sensitivity or specificity, and its limits. */
export interface Rate {
  observed: number;
  lower: number;
  upper: number;
  sides: Sides;
}

/** Returns the sensitivity (label 1) or the specificity (label 0) at an operating point, with its limits. */
export function rateAt(label: Label, frame: Frame, point: OperatingPoint): Rate {
  const { tpr, tprLower, tprUpper, fpr, fprLower, fprUpper } = point;
  const [low, high] = sidesOf(frame, label);
  return label === 1
    ? { observed: tpr, lower: tprLower, upper: tprUpper, sides: [low, high] }
    : { observed: 1 - fpr, lower: 1 - fprUpper, upper: 1 - fprLower, sides: [high, low] };
}

const NONE: Sides = [false, false];
/**
 * The ends of the axis of gains. A gain is the ideal model's area minus the classifier's. It is rarely more than half
 * of the distance from chance (0.5) to perfection (1).
 */
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

/**
 * Returns metrics of the ideal model's own curve and of this classifier's curve: the area, the sensitivity at
 * the operating point's false positive rate, and the gain.
 */
export function idealMetrics(ideal: IdealCurve, auc: number, { tpr, fpr }: OperatingPoint): Metric[] {
  const sides: Sides = [true, true];
  return [
    { name: "auc", observed: auc, range: ideal.auc, sides, scale: [0, 1] },
    { name: "sensitivity", observed: tpr, range: idealLimits(ideal, fpr), sides, scale: [0, 1] },
    { name: "gain", observed: null, range: ideal.gain, sides, scale: GAINS },
  ];
}

/**
 * Returns the range of the ideal model's precision over all counts that the limits of both rates allow. Null if every
 * such count predicts no row positive.
 */
export const precisionRange = ([n0, n1]: Pair<number>, point: OperatingPoint): Pair<number> | null =>
  point.tprUpper + point.fprUpper > 0 ? precisionLimits(point, n1 / (n0 + n1)) : null;
