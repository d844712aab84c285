// Bounds of the reliability at some alphas, from bytes that may be anything.

import type { Reliability, ReliabilityStop } from "../evaluation/types.ts";
import { ascending, ascendingCounts, fieldsOf, float64s, level, listOf, misfit } from "./readers.ts";

export function reliabilityOf(value: unknown, name: string): Reliability {
  const field = fieldsOf(value, name);
  const scores = (from: unknown, side: string) => ascending(float64s(from, side), side);
  const [first, last] = [field("first", scores), field("last", scores)];
  const m = first.length;
  if (m === 0 || last.length !== m || first.some((score, i) => score > last[i])) {
    misfit(name, "is not of ranges of scores");
  }
  return {
    ...{ first, last },
    isotonic: ascending(
      field("isotonic", (from, of) => float64s(from, of, m)),
      "isotonic",
    ),
    stops: field("stops", listOf(stopOf(m))),
  };
}

const stopOf =
  (m: number) =>
  (value: unknown, name: string): ReliabilityStop => {
    const field = fieldsOf(value, name);
    const alpha = field("alpha", level);
    const [lower, upper] = [new Float64Array(m), new Float64Array(m).fill(1)];
    // A lower bound holds from its scores on, an upper one up to them.
    const [rises, falls] = [field("lower", stepsOf(m)), field("upper", stepsOf(m))];
    rises.at.forEach((place, i) => {
      lower.fill(rises.values[i], place);
    });
    falls.at.forEach((place, i) => {
      upper.fill(falls.values[i], i > 0 ? falls.at[i - 1] + 1 : 0, place + 1);
    });
    return { alpha, lower, upper };
  };

/** Bounds that rise, and where each of them stands. */
function stepsOf(m: number) {
  return (value: unknown, name: string) => {
    const field = fieldsOf(value, name);
    const values = ascending(field("values", float64s), name);
    const at = field("at", (from, of) => ascendingCounts(from, of, values.length, m - 1));
    return { at, values };
  };
}
