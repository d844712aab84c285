// Thresholds by rule: vertices of the observed curve, which follow falling thresholds.

import { settableThreshold, thresholdEnds } from "./observed_curve.ts";
import type { Evaluation } from "./types.ts";

/** A vertex of the curve that a rule leads to. */
export interface RuledThreshold {
  vertex: number;
  threshold: number;
}

type Curve = Pick<Evaluation, "thresholds" | "truePositives" | "falsePositives" | "nTest">;

/** The largest sensitivity + specificity - 1; of equals the highest threshold. */
export function youdenTarget(curve: Curve): RuledThreshold {
  const { truePositives, falsePositives, nTest } = curve;
  return best(curve, (i) => truePositives[i] * nTest[0] - falsePositives[i] * nTest[1]);
}

/** The highest threshold at which the sensitivity is at least `wanted`: of these the most specific one. */
export function sensitivityTarget(curve: Curve, wanted: number): RuledThreshold | null {
  const { truePositives, nTest } = curve;
  return target(
    curve,
    vertices(curve).find((i) => truePositives[i] / nTest[1] >= wanted),
  );
}

/** The lowest threshold at which the specificity is at least `wanted`: of these the most sensitive one. */
export function specificityTarget(curve: Curve, wanted: number): RuledThreshold | null {
  const { falsePositives, nTest } = curve;
  return target(
    curve,
    vertices(curve).findLast((i) => (nTest[0] - falsePositives[i]) / nTest[0] >= wanted),
  );
}

/** The least cost on these test points if a false negative costs `ratio` false positives; of equals the highest threshold. */
export function costTarget(curve: Curve, ratio: number): RuledThreshold {
  const { truePositives, falsePositives, nTest } = curve;
  const rounding = 1e-12 * (ratio * nTest[1] + nTest[0]);
  return best(curve, (i) => -(ratio * (nTest[1] - truePositives[i]) + falsePositives[i]), rounding);
}

/** The vertex of the largest gain; gains that differ by no more than `rounding` are equal. */
function best(curve: Curve, gain: (vertex: number) => number, rounding = 0): RuledThreshold {
  const [first, ...others] = vertices(curve);
  const vertex = others.reduce((champion, i) => (gain(i) > gain(champion) + rounding ? i : champion), first);
  return { vertex, threshold: settableThreshold(curve.thresholds, vertex) };
}

function target(curve: Curve, vertex: number | undefined): RuledThreshold | null {
  return vertex === undefined ? null : { vertex, threshold: settableThreshold(curve.thresholds, vertex) };
}

/** Indices of the vertices that a settable threshold reaches: if a probability is 1, that of calling nothing is none of them. */
function vertices({ thresholds }: Curve): number[] {
  const first = thresholds.length > 1 && thresholds[1] === thresholdEnds(thresholds)[1] ? 1 : 0;
  return Array.from({ length: thresholds.length - first }, (_, i) => i + first);
}
