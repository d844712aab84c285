// Counts ends of intervals above a threshold. The interval of a test point is its logit plus two residuals. In Python:
// sorted_sample.py.

import { partitionPoint } from "../base/bisect.ts";
import { TIE } from "../base/ties.ts";

/**
 * The lower (or the upper) ends of a label's intervals on the logit scale. They are `values + shift`. `values` ascend.
 */
export interface Ends {
  values: Float64Array;
  /** Added to all values. It may be infinite. */
  shift: number;
  /**
   * Element i is the number of ends before value i. The last element is the number of all ends. If this is missing,
   * each value is one end.
   */
  before?: Float64Array;
}

/** Returns the share of the ends that exceed a logit by more than a tie. */
export function shareAbove({ values, shift, before }: Ends, logitThreshold: number): number {
  if (!Number.isFinite(shift)) return shift > logitThreshold ? 1 : 0;
  const first = partitionPoint(values.length, (i) => values[i] + shift <= logitThreshold + TIE);
  return shareFrom(first, values.length, before);
}

/** Returns the share of the ends that belong to the values from index `first` on. */
function shareFrom(first: number, n: number, before?: Float64Array): number {
  return before ? (before[n] - before[first]) / before[n] : (n - first) / n;
}

/**
 * Returns the share of the ends above each of many logits. If the logits descend, a single pass over the ends
 * is enough. Otherwise the function takes longer.
 */
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

/**
 * Returns the share of pairs of a number from `upper` and a number from `lower` in which the number from
 * `upper` is larger. Ties count half. This is the Mann-Whitney statistic.
 */
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
