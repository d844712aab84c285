// Decodes bounds of P(y = 1 | score) at some alphas. The bytes are not trusted.

import type { Reliability } from "../evaluation/types.ts";
import {
  ascending,
  ascendingCounts,
  fieldsOf,
  float32s,
  float64s,
  level,
  listOf,
  misfit,
  optional,
} from "./readers.ts";

/**
 * Reads the bounds. If the message has `at`, each range of scores is a single threshold, and `at` has its
 * place among the thresholds. Otherwise the message has the ends of the ranges.
 */
export const reliabilityOf =
  (thresholds: ArrayLike<number>) =>
  (value: unknown, name: string): Reliability => {
    const field = fieldsOf(value, name);
    const isotonic = ascending(field("isotonic", float64s), "isotonic");
    const m = isotonic.length;
    const scores = (from: unknown, side: string) => ascending(float64s(from, side, m), side);
    const lowest = thresholds.length - 1;
    const places = field(
      "at",
      optional((from, of) => ascendingCounts(from, of, m, lowest - 1)),
    );
    const own = places && Float64Array.from(places, (place) => thresholds[lowest - place]);
    const [first, last] = own ? [own, own] : [field("first", scores), field("last", scores)];
    if (m === 0 || first.some((score, i) => score > last[i])) misfit(name, "is not of ranges of scores");
    const alphas = field("alphas", listOf(level));
    const [lower, upper] = [
      field("lower", stepsOf(m * alphas.length)),
      field("upper", stepsOf(m * alphas.length)),
    ];
    return {
      ...{ first, last, isotonic },
      stops: alphas.map((alpha, i) => ({
        alpha,
        // A lower bound also holds at all higher scores, and an upper bound at all lower ones. `held` fills
        // these in.
        lower: held(lower.slice(i * m, (i + 1) * m), 0),
        upper: held(upper.slice(i * m, (i + 1) * m).reverse(), 1).reverse(),
      })),
    };
  };

/** Reads the bounds, one alpha after the other. Where the bound does not change, the result is NaN. */
function stepsOf(size: number) {
  return (value: unknown, name: string): Float64Array => {
    const field = fieldsOf(value, name);
    const values = field("values", float32s);
    const at = field("at", (from, of) => ascendingCounts(from, of, values.length, size - 1));
    const steps = new Float64Array(size).fill(Number.NaN);
    at.forEach((place, i) => {
      steps[place] = values[i];
    });
    return steps;
  };
}

/** Fills the NaN between two changes with the bound, which holds until the next change. */
function held(steps: Float64Array, start: number): Float64Array {
  let bound = start;
  return steps.map((step) => {
    if (!Number.isNaN(step)) bound = step;
    return bound;
  });
}
