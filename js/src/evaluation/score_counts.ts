// Histogram of the test points' scores.

import { remembered } from "../base/remembered.ts";
import { countsAt } from "./at_alpha.ts";
import type { Evaluation } from "./types.ts";

const BINS = 40;
/** Height of the largest bin, in lengths of the upright axis. */
const TALLEST = 0.06;

/** Heights of the histogram: how many test points each bin of the score has; a score of 1 is in the last bin. */
export const binHeights = remembered((evaluation: Evaluation): Float64Array => {
  const above = Array.from({ length: BINS }, (_, i) => {
    const { fp, tp } = countsAt(evaluation, i / BINS);
    return fp + tp;
  });
  const counts = above.map((n, i) => n - (above[i + 1] ?? 0));
  const most = Math.max(...counts);
  return Float64Array.from(counts, (n) => (TALLEST * n) / most);
});
