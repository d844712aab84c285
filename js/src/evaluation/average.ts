// Averages the ROC bands of several classes at fixed false positive rates. In Python: average.py.

import type { Evaluation, Frame, Weights } from "./types.ts";
import { hasLimits } from "./vacuous.ts";

const POINTS = 1001;
/** Two rates count as equal if they differ by less than this. average.py has the same number. */
const ROUNDING = 2 ** -40;

export type Average = ReturnType<typeof averageBands>;

/**
 * Returns the average of several classes' bands at evenly spaced false positive rates. At each rate, every class's
 * curve is read at its lowest threshold whose FPR does not exceed it, and the TPRs are averaged. The average has no
 * guarantee.
 */
export function averageBands(entries: Evaluation[], frames: Frame[], weights: Weights) {
  const shares = sharesOf(entries, weights);
  // The false positive rates are exactly the numbers of numpy.linspace(0, 1, 1001).
  const fpr = Float64Array.from({ length: POINTS }, (_, i) => i * 0.001);
  const [tpr, tprLower, tprUpper] = [0, 1, 2].map(() => new Float64Array(POINTS));
  const below = [0, 1, 2].map(() => new Float64Array(POINTS));
  entries.forEach((entry, k) => {
    const { limits } = frames[k];
    let last = 0;
    for (let i = 0; i < POINTS; i++) {
      while (last + 1 < entry.fpr.length && entry.fpr[last + 1] <= fpr[i] + ROUNDING) last++;
      [entry.tpr, limits.tprLower, limits.tprUpper].forEach((rates, j) => {
        [tpr, tprLower, tprUpper][j][i] += shares[k] * rates[last];
        below[j][i] += shares[k] * (1 - rates[last]);
      });
    }
  });
  // `missing` is the weighted sum of 1 minus each class's rate. If it is 0, all rates are 1. The mean is then
  // set to 1, because rounded weights may sum to less than 1.
  [tpr, tprLower, tprUpper].forEach((rates, j) => {
    below[j].forEach((missing, i) => {
      if (missing === 0) rates[i] = 1;
    });
  });
  const indices = (isSo: (entry: Evaluation, k: number) => boolean) =>
    entries.flatMap((entry, k) => (isSo(entry, k) ? [k] : []));
  const total = sum(entries.map(({ nTest }) => nTest[1]));
  return {
    fpr,
    tpr,
    tprLower,
    tprUpper,
    /** The weights of the classes. They sum to 1. */
    weights: shares,
    /** Indices of the classes that have no limits. In the average their limits are 0 and 1. */
    withoutLimits: indices((_, k) => !hasLimits(frames[k], 1)),
    /** Indices of the classes that have less than half as many test points as a class has on average. */
    rare: indices(({ nTest }) => 2 * nTest[1] * entries.length < total),
  };
}

function sharesOf(entries: Evaluation[], weights: Weights): number[] {
  const sizes = entries.map(({ nTest }) => (weights === "size" ? nTest[1] : 1));
  return sizes.map((size) => size / sum(sizes));
}

const sum = (numbers: number[]) => numbers.reduce((total, item) => total + item, 0);
