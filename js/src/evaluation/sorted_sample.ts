// Individual intervals L + q, and how many of their ends lie above a threshold; its twin is intervals.py.

/** One end of the intervals of a label on the logit scale: `values + shift`, `values` ascending. */
export interface Ends {
  values: Float64Array;
  /** May be infinite. */
  shift: number;
}

/** Logits closer than this are equal, as in logits.py. */
export const TIE = 2 ** -32;

/** Logit of a threshold. No interval's end lies above 1, and every finite one lies above 0. */
export function logit(threshold: number): number {
  if (threshold >= 1) return Number.POSITIVE_INFINITY;
  if (threshold <= 0) return Number.NEGATIVE_INFINITY;
  if (threshold < 0.3 || threshold > 0.65) return Math.log(threshold / (1 - threshold));
  // As scipy.special.logit has it: around 1/2 the plain formula loses digits.
  const twice = 2 * (threshold - 0.5);
  return Math.log1p(twice) - Math.log1p(-twice);
}

/** Share of the ends that lie above a logit, by more than a tie. */
export function shareAbove({ values, shift }: Ends, logitThreshold: number): number {
  if (!Number.isFinite(shift)) return shift > logitThreshold ? 1 : 0;
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] + shift > logitThreshold + TIE) high = middle;
    else low = middle + 1;
  }
  return (values.length - low) / values.length;
}

/** The same for many logits. One walk serves them all if they fall; it is right for any order. */
export function sharesAbove({ values, shift }: Ends, logitThresholds: Float64Array): Float64Array {
  if (!Number.isFinite(shift)) return logitThresholds.map((logit) => (shift > logit ? 1 : 0));
  const n = values.length;
  const shares = new Float64Array(logitThresholds.length);
  let first = n;
  for (let j = 0; j < shares.length; j++) {
    const at = logitThresholds[j] + TIE;
    while (first > 0 && values[first - 1] + shift > at) first--;
    while (first < n && values[first] + shift <= at) first++;
    shares[j] = (n - first) / n;
  }
  return shares;
}

/** Mann-Whitney share of the pairs with the first above the second, ties half. */
export function shareRankedAbove(upper: Ends, lower: Ends): number {
  const n = lower.values.length;
  let below = 0;
  let upTo = 0;
  let sum = 0;
  for (const value of upper.values) {
    const end = value + upper.shift;
    while (below < n && lower.values[below] + lower.shift < end - TIE) below++;
    while (upTo < n && lower.values[upTo] + lower.shift <= end + TIE) upTo++;
    sum += below + upTo;
  }
  return sum / (2 * upper.values.length * n);
}
