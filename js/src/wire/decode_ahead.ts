// Limits that Python has computed ahead, at some alphas, for a page that cannot.

import type { Pair } from "../base/pair.ts";
import type { Ends } from "../evaluation/sorted_sample.ts";
import type { Ahead, Curve, Frozen, Label } from "../evaluation/types.ts";
import { findingsOf, limitsOf } from "./decode_frame.ts";
import {
  anything,
  ascending,
  ascendingCounts,
  count,
  type Fields,
  fieldsOf,
  float64s,
  level,
  listOf,
  misfit,
  number,
  optional,
  orNull,
  pairOf,
  record,
} from "./readers.ts";

function aheadOf(fields: Fields): Ahead {
  const field = fieldsOf(fields);
  return {
    alpha: field("alpha", level),
    statement: findingsOf(field("frame", record)),
    auc: field("auc", pairOf(number)),
  };
}

export function frozenOf(nTest: Pair<number>, groups: Pair<Grouped> | null) {
  return (value: unknown, name: string): Frozen => {
    const fields = record(value, name);
    const field = fieldsOf(fields);
    const ends = groups ? shiftsOf(groups) : endsOf(nTest);
    return { ...aheadOf(fields), lower: field("lower", ends), upper: field("upper", ends) };
  };
}

/** Centres, in the order of the groups of residuals that they share. */
interface Grouped {
  centres: Float64Array;
  /** The group of each centre. */
  group: Uint32Array;
  groups: number;
  /** How much each counts; null if all count alike. */
  counts: Float64Array | null;
}

export function groupsOf(nTest: Pair<number>) {
  return (value: unknown, name: string): Pair<Grouped> => {
    const [zeros, ones] = pairOf(record)(value, name);
    return [groupedOf(zeros, name, nTest[0]), groupedOf(ones, name, nTest[1])];
  };
}

function groupedOf(fields: Fields, name: string, n: number): Grouped {
  const centres = float64s(fields.centres, name);
  const m = centres.length;
  const ends = listOf(count, m)(fields.ends, name);
  if (m === 0 || ends[ends.length - 1] !== m) misfit(name, "are not those of the test points");
  const group = new Uint32Array(m);
  ends.forEach((end, i) => {
    group.fill(i, i === 0 ? 0 : ends[i - 1], end);
  });
  const before = optional((bytes: unknown) => ascendingCounts(bytes, name, m, n))(fields.before, name);
  if ((before ? before[m - 1] : m) !== n) misfit(name, "are not those of the test points");
  const counts = before?.map((each, i) => each - (i === 0 ? 0 : before[i - 1])) ?? null;
  return { centres, group, groups: ends.length, counts };
}

/** Ends of the intervals of each label, from a shift for each group of centres; made when they are first needed. */
function shiftsOf(groups: Pair<Grouped>) {
  return (value: unknown, name: string): Pair<Ends> => {
    const shifts = fieldsOf(value, name)("shifts", pairOf(float64s));
    if (shifts.some(({ length }, label) => length !== groups[label as Label].groups))
      misfit(name, "are of other groups");
    return [shifted(groups[0], shifts[0]), shifted(groups[1], shifts[1])];
  };
}

function shifted({ centres, group, counts }: Grouped, shifts: Float64Array): Ends {
  const ends = centres.map((centre, i) => centre + shifts[group[i]]);
  if (counts === null) return { values: ends.sort(), shift: 0 };
  const order = [...ends.keys()].sort((a, b) => ends[a] - ends[b] || a - b);
  const before = new Float64Array(order.length + 1);
  order.forEach((at, i) => {
    before[i + 1] = before[i] + counts[at];
  });
  return { values: Float64Array.from(order, (at) => ends[at]), shift: 0, before };
}

/** Ends of the intervals of each label. They come at even ranks, or as values common to both labels with the number of ends before each. */
function endsOf(nTest: Pair<number>) {
  return (value: unknown, name: string): Pair<Ends> => {
    const field = fieldsOf(value, name);
    const before = field("before", orNull(pairOf(anything)));
    const [first, second = first] = field("values", listOf(float64s));
    const of = (values: Float64Array | undefined, label: Label): Ends => {
      if (!values?.length) return misfit(name, "are none");
      const ends = { values: ascending(values, name), shift: 0 };
      if (before === null) return ends;
      const [m, n] = [values.length, nTest[label]];
      const counts = ascendingCounts(before[label], name, m + 1, n);
      return counts[m] === n ? { ...ends, before: counts } : misfit(name, "are of other points");
    };
    return [of(first, 0), of(second, 1)];
  };
}

export function curveOf(nTest: Pair<number>, vertices: number) {
  return (value: unknown, name: string): Curve => {
    const fields = record(value, name);
    return { ...aheadOf(fields), limits: fieldsOf(fields)("limits", limitsOf(nTest, vertices)) };
  };
}
