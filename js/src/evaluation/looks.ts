// Limits that hold together at every look as rows arrive; their twin is looks.py.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { logGamma } from "./exact_limits.ts";

export const LOOKS = ["once", "any"] as const;
export type Looks = (typeof LOOKS)[number];

/** Limits begin at this many rows of each label; those of an area come closest to those for one look at NARROWEST. */
export const FIRST_LOOK = 20;
const NARROWEST = 200;
/** After this many halvings a share has all its digits. */
const HALVINGS = 50;

/** How many standard errors limits are apart; `rows` are those of the rarer label. */
export function farAtAnyLook(alpha: number, rows: number): number {
  const log = -Math.log(alpha);
  const spread = (rows * (Math.log1p(2 * log) + 2 * log)) / NARROWEST;
  return Math.sqrt(((2 * (spread + 1)) / spread) * (Math.log1p(spread) / 2 + log));
}

/** How far an observed distribution of n rows may be from the population's; `log` is that of 1 over the level. */
function distanceAtAnyLook(n: number, log: number): number {
  if (n < FIRST_LOOK) return 1;
  const iterated = Math.log(1 + Math.log(n / FIRST_LOOK));
  return 0.85 * Math.sqrt((iterated + 0.8 * (Math.log(1612) + log)) / n);
}

/** Limits of a share of so many rows: the probabilities whose likelihood is above α times its mean by Jeffreys' prior. */
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

/** A product that is 0 where there is nothing to count. */
const times = (n: number, log: number) => (n === 0 ? 0 : n * log);

/** Limits of the true positive rate at false positive rates, all together. */
interface CurveLimits {
  fpr: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
}

/** Both rates at every vertex, in ascending order, and the number of rows of each label. */
interface Observed {
  fpr: Float64Array;
  tpr: Float64Array;
  nRows: Pair<number>;
}

const GRID = Float64Array.from({ length: 101 }, (_, i) => i / 100);

/** The curve's limits, from the distance of both observed distributions; their twin is ks.py. */
export const curveAtAnyLook = remembered(
  ({ fpr: x, tpr: y, nRows }: Observed, alpha: number): CurveLimits => {
    const log = Math.log(1 + Math.sqrt(1 - alpha)) - Math.log(alpha);
    const [d0, d1] = nRows.map((n) => distanceAtAnyLook(n, log));
    const last = x.length - 1;
    // Rounding must not narrow the band: rates are whole multiples of 1/n.
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
  },
);
