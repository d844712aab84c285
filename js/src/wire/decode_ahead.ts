// Decodes limits that Python has computed in advance at some alphas, because the page cannot compute them.

import type { Pair } from "../base/pair.ts";
import type { Intervals } from "../evaluation/at_alpha.ts";
import { shiftedLimits } from "../evaluation/shifted_limits.ts";
import type { Ends } from "../evaluation/sorted_sample.ts";
import type { Ahead, Curve, Frozen, Label, Vertices } from "../evaluation/types.ts";
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

/** Reads limits at one alpha. If they are not sent, `made` makes them. */
export function frozenOf(
  nTest: Pair<number>,
  groups: Pair<Grouped> | null = null,
  made: (alpha: number) => Intervals = () => misfit("frozen", "has no limits"),
) {
  return (value: unknown, name: string): Frozen => {
    const fields = record(value, name);
    const field = fieldsOf(fields);
    if (fields.lower === null) {
      const ahead = aheadOf(fields);
      return { ...ahead, ...made(ahead.alpha) };
    }
    const ends = groups ? shiftsOf(groups) : endsOf(nTest);
    return { ...aheadOf(fields), lower: field("lower", ends), upper: field("upper", ends) };
  };
}

/** The centres of a label's test points, sorted by group. All points of a group have the same order statistics. */
interface Grouped {
  centres: Float64Array;
  /** The index of the group of each centre. */
  group: Uint32Array;
  groups: number;
  /** The weight of each centre. Null if all weights are equal. */
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

/** Reads one shift for each group of centres. Returns the ends of the intervals, by label. */
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

/**
 * Reads the ends of the intervals, by label. If `before` is null, the values are the ends at evenly spaced
 * ranks. Otherwise `before` has the number of ends before each value. If there is a single list of values, it
 * belongs to both labels.
 */
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

/** Reads limits at the vertices, or shifts from which they are interpolated. */
export function curveOf(nTest: Pair<number>, vertices: Vertices) {
  return (value: unknown, name: string): Curve => {
    const fields = record(value, name);
    const field = fieldsOf(fields);
    const limits =
      fields.limits === null
        ? shiftedLimits(
            vertices,
            field("shifts", (bytes, of) => float64s(bytes, of, 4)),
          )
        : field("limits", limitsOf(nTest, vertices.thresholds.length));
    return { ...aheadOf(fields), limits };
  };
}
