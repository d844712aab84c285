import type { Pair } from "../base/pair.ts";
import type { Evaluation, Frame, OperatingPoint } from "./types.ts";
import { hasLimits } from "./vacuous.ts";

/** A figure at the operating point, and where the ideal model's lies: null where that is anywhere. */
export interface Metric {
  name: "sensitivity" | "specificity" | "precision" | "youden";
  /** Null where it is undefined. */
  observed: number | null;
  range: Pair<number> | null;
  /** Ends of what is possible at all. */
  scale: Pair<number>;
}

export function metricsOf({ nTest }: Evaluation, frame: Frame, point: OperatingPoint): Metric[] {
  const [limits0, limits1] = [hasLimits(frame, 0), hasLimits(frame, 1)];
  const { tpr, tprLower, tprUpper, fpr, fprLower, fprUpper, precision, youden } = point;
  const either = limits0 || limits1;
  return [
    { name: "sensitivity", observed: tpr, range: limits1 ? [tprLower, tprUpper] : null, scale: [0, 1] },
    {
      name: "specificity",
      observed: 1 - fpr,
      range: limits0 ? [1 - fprUpper, 1 - fprLower] : null,
      scale: [0, 1],
    },
    {
      name: "precision",
      observed: precision,
      range: either ? precisionRange(nTest, point) : null,
      scale: [0, 1],
    },
    {
      name: "youden",
      observed: youden,
      range: either ? [tprLower - fprUpper, tprUpper - fprLower] : null,
      scale: [-1, 1],
    },
  ];
}

/**
 * Precision over all counts of the ideal model that both intervals allow at once, where it calls anything positive;
 * null where it never does.
 */
export function precisionRange(
  [n0, n1]: Pair<number>,
  { tprLower, tprUpper, fprLower, fprUpper }: OperatingPoint,
): Pair<number> | null {
  const lower = share(n1 * tprLower, n0 * fprUpper);
  const upper = share(n1 * tprUpper, n0 * fprLower);
  // Nothing called positive at one corner: the precision is then that of the points beside it.
  if (lower === null && upper === null) return null;
  return [lower ?? 1, upper ?? 0];
}

function share(truePositives: number, falsePositives: number): number | null {
  const called = truePositives + falsePositives;
  return called > 0 ? truePositives / called : null;
}
