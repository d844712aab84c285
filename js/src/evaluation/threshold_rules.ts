// Chooses thresholds by a rule, such as Youden's. Each is the threshold of a vertex of the observed curve. The curve's
// thresholds descend.

import { settableThreshold, thresholdEnds } from "./observed_curve.ts";
import type { Evaluation } from "./types.ts";

/** The vertex that a rule chooses. */
export interface RuledThreshold {
  vertex: number;
  threshold: number;
}

type Curve = Pick<Evaluation, "thresholds" | "truePositives" | "falsePositives" | "nTest">;

/**
 * Returns the vertex with the largest sensitivity + specificity - 1. If several are equally good, returns the one with
 * the highest threshold.
 */
export function youdenTarget(curve: Curve): RuledThreshold {
  const { truePositives, falsePositives, nTest } = curve;
  return best(curve, (i) => truePositives[i] * nTest[0] - falsePositives[i] * nTest[1]);
}

/**
 * Returns the vertex with the highest threshold at which the sensitivity is at least `wanted`. Of all such vertices it
 * has the largest specificity. Null if there is none.
 */
export function sensitivityTarget(curve: Curve, wanted: number): RuledThreshold | null {
  const { truePositives, nTest } = curve;
  return target(
    curve,
    vertices(curve).find((i) => truePositives[i] / nTest[1] >= wanted),
  );
}

/**
 * Returns the vertex with the lowest threshold at which the specificity is at least `wanted`. Of all such vertices it
 * has the largest sensitivity. Null if there is none.
 */
export function specificityTarget(curve: Curve, wanted: number): RuledThreshold | null {
  const { falsePositives, nTest } = curve;
  return target(
    curve,
    vertices(curve).findLast((i) => (nTest[0] - falsePositives[i]) / nTest[0] >= wanted),
  );
}

/**
 * Returns the vertex with the lowest cost on the test points. A false negative costs `ratio` times as much as a false
 * positive. If several cost the same, returns the one with the highest threshold.
 */
export function costTarget(curve: Curve, ratio: number): RuledThreshold {
  const { truePositives, falsePositives, nTest } = curve;
  const rounding = 1e-12 * (ratio * nTest[1] + nTest[0]);
  return best(curve, (i) => -(ratio * (nTest[1] - truePositives[i]) + falsePositives[i]), rounding);
}

/** Returns the vertex with the largest gain. Gains that differ by at most `rounding` are equal. */
function best(curve: Curve, gain: (vertex: number) => number, rounding = 0): RuledThreshold {
  const [first, ...others] = vertices(curve);
  const vertex = others.reduce((champion, i) => (gain(i) > gain(champion) + rounding ? i : champion), first);
  return { vertex, threshold: settableThreshold(curve.thresholds, vertex) };
}

function target(curve: Curve, vertex: number | undefined): RuledThreshold | null {
  return vertex === undefined ? null : { vertex, threshold: settableThreshold(curve.thresholds, vertex) };
}

/**
 * Returns the indices of the vertices whose threshold the user can set. If a score equals the highest such threshold,
 * the vertex at which no row is predicted positive is left out.
 */
function vertices({ thresholds }: Curve): number[] {
  const first = thresholds.length > 1 && thresholds[1] === thresholdEnds(thresholds)[1] ? 1 : 0;
  return Array.from({ length: thresholds.length - first }, (_, i) => i + first);
}
