// Computes limits that hold at every look together. A look is one evaluation of the rows that have arrived so far. In
// Python: looks.py.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { logGamma } from "./exact_limits.ts";

export const LOOKS = ["once", "any"] as const;
export type Looks = (typeof LOOKS)[number];

/**
 * If a label has fewer than `FIRST_LOOK` rows, there are no limits. At `NARROWEST` rows the area's limits at every look
 * come closest to those at a single look.
 */
export const FIRST_LOOK = 20;
const NARROWEST = 200;
/** After this many bisection steps all digits of a share are exact. */
const HALVINGS = 50;

/**
 * Returns the half-width of an area's limits at every look, in standard errors. `rows` is the number of rows of the
 * rarer label.
 */
export function farAtAnyLook(alpha: number, rows: number): number {
  const log = -Math.log(alpha);
  const spread = (rows * (Math.log1p(2 * log) + 2 * log)) / NARROWEST;
  return Math.sqrt(((2 * (spread + 1)) / spread) * (Math.log1p(spread) / 2 + log));
}

/**
 * Returns the largest distance, over all looks, between the observed distribution of n rows and the population's. `log`
 * is log(1 / level).
 */
function distanceAtAnyLook(n: number, log: number): number {
  if (n < FIRST_LOOK) return 1;
  const iterated = Math.log(1 + Math.log(n / FIRST_LOOK));
  return 0.85 * Math.sqrt((iterated + 0.8 * (Math.log(1612) + log)) / n);
}

/**
 * Returns limits at every look for a share of `rows` rows: the range of the probabilities whose likelihood is at least
 * α times the mean likelihood under Jeffreys' prior.
 */
export function shareAtAnyLook(share: number, rows: number, alpha: number): Pair<number> {
  const [found, others] = [share * rows, rows - share * rows];
  const mean = logGamma(found + 0.5) + logGamma(others + 0.5) - logGamma(rows + 1) - Math.log(Math.PI);
  const least = mean + Math.log(alpha);
  const end = (beyond: number) => {
    let [inner, outer] = [share, beyond];
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (inner + outer) / 2;
      const likelihood = times(found, Math.log(middle)) + times(others, Math.log1p(-middle));
      if (likelihood >= least) inner = middle;
      else outer = middle;
    }
    return outer;
  };
  return [end(0), end(1)];
}

/** Returns n times `log`. If n is 0, returns 0 even if `log` is infinite. */
const times = (n: number, log: number) => (n === 0 ? 0 : n * log);

/** Both rates at each vertex in ascending order, and each label's number of rows. */
interface Observed {
  fpr: Float64Array;
  tpr: Float64Array;
  nRows: Pair<number>;
}

const GRID = Float64Array.from({ length: 101 }, (_, i) => i / 100);

/**
 * Returns the limits of the true positive rate at every look, together at all false positive rates `fpr`. They follow
 * from the largest distance of each label's observed distribution from the population's. In Python: ks.py.
 */
export const curveAtAnyLook = remembered(({ fpr: x, tpr: y, nRows }: Observed, alpha: number) => {
  const log = Math.log(1 + Math.sqrt(1 - alpha)) - Math.log(alpha);
  const [d0, d1] = nRows.map((n) => distanceAtAnyLook(n, log));
  const last = x.length - 1;
  // Rates are multiples of 1/n, but differ from these by rounding. `slack` makes sure that rounding never
  // makes the band narrower.
  const slack = 1e-9 / Math.max(...nRows);
  const lower = GRID.map((at) => {
    const reaches = partitionPoint(x.length, (i) => x[i] < at - d0 - slack);
    return at === 1 ? 1 : Math.max(y[Math.max(reaches - 1, 0)] - d1, 0);
  });
  const upper = GRID.map((at) => {
    const leaves = partitionPoint(x.length, (i) => x[i] <= at + d0 + slack);
    return at === 1 ? 1 : Math.min(y[Math.min(leaves, last)] + d1, 1);
  });
  return { fpr: GRID, lower, upper };
});
