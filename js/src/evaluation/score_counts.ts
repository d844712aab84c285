// Counts the scores of the test points for a histogram.

import { remembered } from "../base/remembered.ts";
import { countsAt } from "./at_alpha.ts";
import type { Evaluation } from "./types.ts";

const BINS = 40;
/** The height of the tallest bin, as a share of the plot's vertical axis. */
const TALLEST = 0.06;

/**
 * Returns the heights of the histogram: the number of test points in each bin of the score. The last bin contains the
 * score 1.
 */
export const binHeights = remembered((evaluation: Evaluation): Float64Array => {
  const above = Array.from({ length: BINS }, (_, i) => {
    const { fp, tp } = countsAt(evaluation, i / BINS);
    return fp + tp;
  });
  const counts = above.map((n, i) => n - (above[i + 1] ?? 0));
  const most = Math.max(...counts);
  return Float64Array.from(counts, (n) => (TALLEST * n) / most);
});
