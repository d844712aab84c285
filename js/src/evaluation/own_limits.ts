// Makes the ends of intervals from the bounds of P(y = 1 | score), if the test rows make their own limits. The bounds
// of a row are those at its score. In Python: wire/own_limits.py.

import { logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import type { Intervals } from "./at_alpha.ts";
import { vertexAt } from "./observed_curve.ts";
import type { Ends } from "./sorted_sample.ts";
import type { Reliability, ReliabilityStop, Vertices } from "./types.ts";

/** Returns the ends of the intervals of all rows at one alpha. Every score is the threshold of a vertex. */
export function ownIntervals(
  { thresholds, falsePositives, truePositives }: Vertices,
  { first }: Reliability,
  { lower, upper }: ReliabilityStop,
): Intervals {
  const vertices = Array.from(first, (score) => vertexAt(thresholds, score));
  const of = (reached: Float64Array): Pair<Ends> => {
    const n = reached[reached.length - 1];
    // The lower bound of a score holds from this score on. The upper bound holds up to this score.
    const reaching = vertices.map((vertex) => n - reached[vertex]);
    const above = vertices.map((vertex) => n - reached[vertex - 1]);
    return [endsOf([0, ...lower], [0, ...reaching, n]), endsOf([...upper, 1], [0, ...above, n])];
  };
  const [zeros, ones] = [of(falsePositives), of(truePositives)];
  return { lower: [zeros[0], ones[0]], upper: [zeros[1], ones[1]] };
}

/** Returns the distinct bounds as logits. Element i of `before` counts the rows before bound i. */
function endsOf(bounds: number[], before: number[]): Ends {
  const steps = bounds.flatMap((bound, i) => (i === 0 || bound > bounds[i - 1] ? [i] : []));
  return {
    values: Float64Array.from(steps, (i) => logit(bounds[i])),
    shift: 0,
    before: Float64Array.from([...steps.map((i) => before[i]), before[before.length - 1]]),
  };
}
