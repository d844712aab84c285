// Finding one's way among the vertices of the observed curve.

import type { Evaluation } from "../wire/messages.ts";

interface Points {
  x: Float64Array;
  y: Float64Array;
}

/** Index of the last vertex whose threshold is at least `threshold`: its counts are those of p >= threshold. */
export function vertexAt(thresholds: Float64Array, threshold: number): number {
  let low = 0;
  let high = thresholds.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (thresholds[middle] >= threshold) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The vertex at whose threshold the counts and limits are those at `threshold`, if there is one. */
export function exactVertex({ thresholds }: Evaluation, threshold: number): number | null {
  const vertex = vertexAt(thresholds, threshold);
  const isAboveAllScores = vertex === 0 && threshold >= 1;
  return thresholds[vertex] === threshold || isAboveAllScores ? vertex : null;
}

export function nearestVertex({ x, y }: Points, atX: number, atY: number): number {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < x.length; i++) {
    const distance = (x[i] - atX) ** 2 + (y[i] - atY) ** 2;
    if (distance < least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

/** The threshold that a person sets by choosing a vertex: +Infinity, the first, counts as 1. */
export function settableThreshold(thresholds: Float64Array, vertex: number): number {
  return Math.min(1, Math.max(0, thresholds[vertex]));
}
