// Individual intervals L + q, and how many of their ends lie above a threshold; its twin is sorted_sample.py.

import { partitionPoint } from "../base/bisect.ts";
import { TIE } from "../base/ties.ts";

/** One end of the intervals of a label on the logit scale: `values + shift`, `values` ascending. */
export interface Ends {
  values: Float64Array;
  /** May be infinite. */
  shift: number;
  /** How many ends stand before each value, and last how many there are. If missing, each value is one end. */
  before?: Float64Array;
}

/** Share of the ends that lie above a logit, by more than a tie. */
export function shareAbove({ values, shift, before }: Ends, logitThreshold: number): number {
  if (!Number.isFinite(shift)) return shift > logitThreshold ? 1 : 0;
  const first = partitionPoint(values.length, (i) => values[i] + shift <= logitThreshold + TIE);
  return shareFrom(first, values.length, before);
}

/** Share of the ends that belong to a value or to later ones. */
function shareFrom(first: number, n: number, before?: Float64Array): number {
  return before ? (before[n] - before[first]) / before[n] : (n - first) / n;
}

/** Shares of the ends that lie above many logits: in one walk if these fall, but right in any order. */
export function sharesAbove({ values, shift, before }: Ends, logitThresholds: Float64Array): Float64Array {
  if (!Number.isFinite(shift)) return logitThresholds.map((logit) => (shift > logit ? 1 : 0));
  const n = values.length;
  const shares = new Float64Array(logitThresholds.length);
  let first = n;
  for (let j = 0; j < shares.length; j++) {
    const at = logitThresholds[j] + TIE;
    while (first > 0 && values[first - 1] + shift > at) first--;
    while (first < n && values[first] + shift <= at) first++;
    shares[j] = shareFrom(first, n, before);
  }
  return shares;
}

/** Mann-Whitney share of the pairs with the first above the second, ties half. */
export function shareRankedAbove(upper: Ends, lower: Ends): number {
  const n = lower.values.length;
  const upTo = (place: number) => lower.before?.[place] ?? place;
  let below = 0;
  let notAbove = 0;
  let sum = 0;
  for (let i = 0; i < upper.values.length; i++) {
    const end = upper.values[i] + upper.shift;
    while (below < n && lower.values[below] + lower.shift < end - TIE) below++;
    while (notAbove < n && lower.values[notAbove] + lower.shift <= end + TIE) notAbove++;
    const counts = upper.before ? upper.before[i + 1] - upper.before[i] : 1;
    sum += counts * (upTo(below) + upTo(notAbove));
  }
  return sum / (2 * (upper.before?.[upper.values.length] ?? upper.values.length) * upTo(n));
}
