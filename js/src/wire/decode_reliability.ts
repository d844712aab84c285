// Bounds of the reliability at some alphas, from bytes that may be anything.

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
} from "./readers.ts";

export function reliabilityOf(value: unknown, name: string): Reliability {
  const field = fieldsOf(value, name);
  const scores = (from: unknown, side: string) => ascending(float64s(from, side), side);
  const [first, last] = [field("first", scores), field("last", scores)];
  const m = first.length;
  if (m === 0 || last.length !== m || first.some((score, i) => score > last[i])) {
    misfit(name, "is not of ranges of scores");
  }
  const alphas = field("alphas", listOf(level));
  const [lower, upper] = [
    field("lower", stepsOf(m * alphas.length)),
    field("upper", stepsOf(m * alphas.length)),
  ];
  return {
    ...{ first, last },
    isotonic: ascending(
      field("isotonic", (from, of) => float64s(from, of, m)),
      "isotonic",
    ),
    stops: alphas.map((alpha, i) => ({
      alpha,
      // A lower bound holds at higher scores too, an upper one at lower scores.
      lower: held(lower.slice(i * m, (i + 1) * m), 0),
      upper: held(upper.slice(i * m, (i + 1) * m).reverse(), 1).reverse(),
    })),
  };
}

/** Bounds of one alpha after the other: numbers where a bound steps, NaN elsewhere. */
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

/** The bounds between the steps: each holds until the next one. */
function held(steps: Float64Array, start: number): Float64Array {
  let bound = start;
  return steps.map((step) => {
    if (!Number.isNaN(step)) bound = step;
    return bound;
  });
}
