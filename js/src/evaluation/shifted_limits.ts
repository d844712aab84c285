// Interpolates limits between the vertices of a simplified curve. In Python: wire/shifted_limits.py.

import { partitionPoint } from "../base/bisect.ts";
import { logit } from "../base/logit.ts";
import type { Limits, Vertices } from "./types.ts";

/**
 * Returns the limits at the vertices. The ends of a point's interval are the logit of its score plus two of
 * the `shifts`, which are the lower and the upper shift of label 0, then those of label 1.
 */
export function shiftedLimits(
  { thresholds, falsePositives, truePositives }: Vertices,
  shifts: Float64Array,
): Limits {
  const logits = thresholds.map(logit);
  const m = logits.length;
  const rates = (reached: Float64Array, shift: number) => {
    const n = reached[m - 1];
    return logits.map((cut) => {
      if (cut === shift) return 0;
      const at = cut - shift;
      const below = partitionPoint(m, (i) => logits[i] >= at);
      if (below === m || logits[below] === Number.NEGATIVE_INFINITY) return 1;
      if (below < 1 || logits[below - 1] === Number.POSITIVE_INFINITY) return 0;
      const part = (logits[below - 1] - at) / (logits[below - 1] - logits[below]);
      return (reached[below - 1] + part * (reached[below] - reached[below - 1])) / n;
    });
  };
  return {
    fprLower: rates(falsePositives, shifts[0]),
    fprUpper: rates(falsePositives, shifts[1]),
    tprLower: rates(truePositives, shifts[2]),
    tprUpper: rates(truePositives, shifts[3]),
  };
}
