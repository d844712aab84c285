// Bands of several classes, averaged at fixed FPR; its twin is average.py.

import type { Evaluation, Frame, Weights } from "./types.ts";
import { hasLimits } from "./vacuous.ts";

const POINTS = 1001;
/** Rates closer than this are equal, as in average.py. */
const ROUNDING = 2 ** -40;

export type Average = ReturnType<typeof averageBands>;

/** The average over a grid of FPR; no guarantee carries over to it. At each FPR every curve is read at the smallest threshold whose FPR is at most that; TPR is averaged. */
export function averageBands(entries: Evaluation[], frames: Frame[], weights: Weights) {
  const shares = sharesOf(entries, weights);
  // The very numbers of numpy.linspace(0, 1, 1001).
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
  // Rounded shares may add up to less than 1. If a rate is 1 in every class, so is its mean.
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
    /** Shares of the classes, which sum to 1. */
    weights: shares,
    /** Entries whose bands have no limits: they enter the average as 0 to 1. */
    withoutLimits: indices((_, k) => !hasLimits(frames[k], 1)),
    /** Entries that are rare among the test points. */
    rare: indices(({ nTest }) => 2 * nTest[1] * entries.length < total),
  };
}

function sharesOf(entries: Evaluation[], weights: Weights): number[] {
  const sizes = entries.map(({ nTest }) => (weights === "size" ? nTest[1] : 1));
  return sizes.map((size) => size / sum(sizes));
}

const sum = (numbers: number[]) => numbers.reduce((total, item) => total + item, 0);
