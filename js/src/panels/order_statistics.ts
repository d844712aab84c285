// Finds the order statistics of the residuals at an alpha. If the user drags a handle to a residual, finds
// the alpha at which this residual is the order statistic.

import { nearest } from "../base/nearest.ts";
import type { Pair } from "../base/pair.ts";
import { clamp, type Scale } from "../base/scale.ts";
import { ALPHA_STOPS } from "../base/steps.ts";
import { residualAt } from "../evaluation/at_alpha.ts";
import { ranks } from "../evaluation/quantiles.ts";
import type { Evaluation, Label } from "../evaluation/types.ts";
import type { Points } from "./strip_axis.ts";

/** Which limit: 0 is the lower one, 1 the upper one. */
export type Side = 0 | 1;

/**
 * Alphas in ascending order (`stops`), and the order statistic at each alpha (`residuals`). If an alpha has
 * no order statistic, its residual is infinite.
 */
export interface Known {
  stops: readonly number[];
  residuals: Float64Array;
}

/** Returns those of a label's order statistics that the page knows without the kernel. Null if it knows none. */
export function knownStatistics(
  { residuals, rule, curves, unranked }: Evaluation,
  label: Label,
  side: Side,
): Known | null {
  const of = residuals[label];
  if (unranked || of.stops || of.values.length === of.n) {
    const at = (alpha: number, i: number) =>
      unranked
        ? unranked[label].stops[2 * i + side]
        : residualAt(of, ranks(of.n, alpha, rule)[side], side, alpha);
    return { stops: ALPHA_STOPS, residuals: Float64Array.from(ALPHA_STOPS, at) };
  }
  const known = (curves ?? []).flatMap(({ alpha, statement: { orderStatistics } }) =>
    orderStatistics ? [{ alpha, residual: orderStatistics[label][side].residual }] : [],
  );
  if (known.length === 0) return null;
  return {
    stops: known.map(({ alpha }) => alpha),
    residuals: Float64Array.from(known, ({ residual }) => residual),
  };
}

/** Returns the points that must be on the axis: the residuals or, if there are none, the known order statistics. */
export function axisPoints(evaluation: Evaluation): Pair<Points> {
  const of = (label: Label): Points => {
    const points = evaluation.residuals[label];
    if (points.values.length > 0) return points;
    const values = [0, 1].flatMap((side) => [
      ...(knownStatistics(evaluation, label, side as Side)?.residuals ?? []),
    ]);
    return { n: values.length, values: values.sort((a, b) => a - b) };
  };
  return [of(0), of(1)];
}

/** Converts a position of a dragged handle to an alpha, and an alpha to a position. */
export type Pull = ReturnType<typeof createPull>;

/**
 * Makes the conversion. Each order statistic has a part of the axis. The borders between the parts are
 * half-way between neighbouring order statistics. If several alphas have the same order statistic, they
 * divide its part evenly. So every known alpha can be reached, and alpha moves in one direction as long as
 * the pointer does.
 */
export function createPull({ stops: known, residuals }: Known, axis: Scale, side: Side) {
  // The alphas `known` ascend. The upper order statistic falls as alpha rises, so for the upper side both
  // lists are reversed.
  const stops = side === 0 ? known : known.toReversed();
  const ascending = side === 0 ? residuals : residuals.toReversed();
  const cells = cellsOf(Array.from(ascending, (residual) => clamp(axis.toFraction(residual), 0, 1)));
  const countOf = ({ first, last }: (typeof cells)[number]) => last - first + 1;

  return {
    alphaAt(fraction: number): number {
      const cell = cells.findLast(({ from }) => from <= fraction) ?? cells[0];
      const share = cell.to > cell.from ? (fraction - cell.from) / (cell.to - cell.from) : 0;
      return stops[cell.first + clamp(Math.floor(share * countOf(cell)), 0, countOf(cell) - 1)];
    },
    /** Returns a position at which `alphaAt` returns the known alpha nearest to `alpha`. */
    placeOf(alpha: number): number {
      const i = nearest(stops, alpha);
      const cell = cells.find(({ last }) => i <= last) ?? cells[cells.length - 1];
      return cell.from + ((i - cell.first + 0.5) / countOf(cell)) * (cell.to - cell.from);
    },
    /** Returns the nearest known alpha whose order statistic is larger (if `sign` is 1) or smaller (if -1). */
    next(alpha: number, sign: 1 | -1): number {
      const i = nearest(stops, alpha);
      let next = i;
      while (ascending[next] === ascending[i] && ascending[next + sign] !== undefined) next += sign;
      return ascending[next] === ascending[i] ? alpha : stops[next];
    },
  };
}

/** Returns for each order statistic the indices of its `first` and `last` alpha, and its part of the axis. */
function cellsOf(places: number[]) {
  const firsts = places.flatMap((place, i) => (i === 0 || place > places[i - 1] ? [i] : []));
  const borders = firsts.slice(1).map((first) => (places[first - 1] + places[first]) / 2);
  const start = firsts.length > 1 ? Math.max(0, 2 * places[0] - borders[0]) : 0;
  const top = places[places.length - 1];
  const end = firsts.length > 1 ? Math.min(1, 2 * top - borders[borders.length - 1]) : 1;
  return firsts.map((first, k) => ({
    first,
    last: (firsts[k + 1] ?? places.length) - 1,
    from: borders[k - 1] ?? start,
    to: borders[k] ?? end,
  }));
}
