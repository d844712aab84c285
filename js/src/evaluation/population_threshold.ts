// A threshold that keeps a rate in the population; its twin is decisions/population_threshold.py, which says why it holds.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { incompleteBeta } from "./exact_limits.ts";
import { settableThreshold } from "./observed_curve.ts";
import type { RuledThreshold } from "./threshold_rules.ts";
import type { Confusion, Evaluation, GoalRate, PopulationWish } from "./types.ts";

type Curve = Pick<Evaluation, "thresholds" | "truePositives" | "falsePositives" | "nTest">;

const STARTS = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];
const FEW_STARTS = [0.1, 0.3, 0.5, 0.7, 0.9];
const HALVINGS = 40;

/**
 * How a rate is tested: directions and starts of the chains, and the cut that is taken of those that passed: the
 * highest, the lowest, or (0) the one with the most successes.
 */
interface Rule {
  /** Successes and trials. */
  counts(called: Confusion): Pair<number>;
  ways: readonly number[];
  starts: readonly number[];
  chosen: number;
  /** The kind of rows whose number limits the promise. */
  rows: "positives" | "negatives" | "rows";
}

const ENDS = { low: [Number.NEGATIVE_INFINITY], high: [Number.POSITIVE_INFINITY] };
const RULES: Record<GoalRate, Rule> = {
  sensitivity: {
    counts: ({ tp, fn }) => [tp, tp + fn],
    ways: [1],
    starts: ENDS.low,
    chosen: 1,
    rows: "positives",
  },
  specificity: {
    counts: ({ tn, fp }) => [tn, tn + fp],
    ways: [-1],
    starts: ENDS.high,
    chosen: -1,
    rows: "negatives",
  },
  precision: { counts: ({ tp, fp }) => [tp, tp + fp], ways: [-1], starts: STARTS, chosen: -1, rows: "rows" },
  npv: { counts: ({ tn, fn }) => [tn, tn + fn], ways: [1], starts: STARTS, chosen: 1, rows: "rows" },
  accuracy: {
    ...{ ways: [1, -1], starts: FEW_STARTS, chosen: 0, rows: "rows" },
    counts: ({ tp, fp, tn, fn }) => [tp + tn, tp + fp + tn + fn],
  },
};

/** Successes and trials of a rate where so many rows are right and wrong. */
export const countsOf = (rate: GoalRate, called: Confusion) => RULES[rate].counts(called);

/** The kind of rows whose number limits what can be promised of a rate. */
export function rowsOf(rate: GoalRate, [zeros, ones]: Pair<number>) {
  const { rows } = RULES[rate];
  return { rows, n: { positives: ones, negatives: zeros, rows: zeros + ones }[rows] };
}

/** Cuts are the distinct scores, ascending, and one above all of them; vertices are the same in the other order. */
class Cuts {
  readonly n: number;

  constructor(readonly curve: Curve) {
    this.n = curve.thresholds.length - 1;
  }

  score = (cut: number) => this.curve.thresholds[this.n - cut];

  below = (score: number) => partitionPoint(this.n, (cut) => this.score(cut) < score);

  upTo = (score: number) => partitionPoint(this.n, (cut) => this.score(cut) <= score);

  called(cut: number): Confusion {
    const { truePositives, falsePositives, nTest } = this.curve;
    const [fp, tp] = [falsePositives[this.n - cut], truePositives[this.n - cut]];
    return { tp, fp, tn: nTest[0] - fp, fn: nTest[1] - tp };
  }
}

/** Chances are rounded; this share of a level is below it for sure. */
const TOUCHES = 1 + 1e-12;

/** Whether k successes of n, or more, have at most the probability `level` at the wish. */
const passes = ([k, n]: Pair<number>, wish: number, level: number) =>
  k > 0 && incompleteBeta(wish, k, n - k + 1) <= level * TOUCHES;

/** The cuts that keep the wish, from one of a pair up to before the other; of each chain `most` tests are made. */
function keptRuns(
  curve: Curve,
  { rate, least }: PopulationWish,
  alpha: number,
  most = Number.POSITIVE_INFINITY,
) {
  const cuts = new Cuts(curve);
  const { counts, ways, starts } = RULES[rate];
  const runs: Pair<number>[] = [];
  for (const way of ways) {
    const part = alpha / ways.length / starts.length;
    const ordered = starts.toSorted((a, b) => way * (a - b));
    let level = 0;
    ordered.forEach((start, i) => {
      const end = ordered[i + 1] ?? way * Number.POSITIVE_INFINITY;
      const first = cuts.below(start);
      // The first and the last test may be of a cut outside: between two scores counts are those at the upper one.
      const stop = way > 0 ? Math.min(cuts.below(end), cuts.n - 1) : cuts.upTo(end);
      const inside = way > 0 ? [first, cuts.below(end)] : [cuts.upTo(end), cuts.upTo(start)];
      const tests = Math.max(0, way * (stop - first) + 1);
      level += part;
      let passed = 0;
      while (
        passed < Math.min(tests, most) &&
        passes(counts(cuts.called(first + way * passed)), least, level)
      )
        passed++;
      const reached = first + way * (passed - 1);
      const from = Math.max(Math.min(first, reached), inside[0]);
      const to = Math.min(Math.max(first, reached) + 1, inside[1]);
      if (passed > 0 && from < to) runs.push([from, to]);
      if (passed < tests) level = 0;
    });
  }
  return { cuts, runs };
}

/** The cuts that keep a goal, and the cut that is chosen. Both are remembered: dragging a threshold does not change them. */
const keptBy = remembered((curve: Curve, rate: GoalRate, least: number, alpha: number) => {
  const { cuts, runs } = keptRuns(curve, { rate, least }, alpha);
  const { chosen, counts } = RULES[rate];
  const better = (a: number, b: number) =>
    chosen === 0 ? counts(cuts.called(a))[0] - counts(cuts.called(b))[0] || a - b : chosen * (a - b);
  let best: number | null = null;
  for (const [from, to] of runs)
    for (let cut = from; cut < to; cut++) if (best === null || better(cut, best) > 0) best = cut;
  return { cuts, runs, best };
});

/** The threshold at which, but for a chance of alpha, the wish holds in the population; null if none can promise it. */
export function populationThreshold(
  curve: Curve,
  wish: PopulationWish,
  alpha: number,
): RuledThreshold | null {
  const { cuts, best } = keptBy(curve, wish.rate, wish.least, alpha);
  if (best === null) return null;
  const vertex = cuts.n - best;
  return { vertex, threshold: settableThreshold(curve.thresholds, vertex) };
}

/** Whether this threshold keeps the wish as well. All that passed hold at once, so any of them may be picked. */
export function isKept(
  curve: Curve,
  { rate, least }: PopulationWish,
  alpha: number,
  threshold: number,
): boolean {
  const { cuts, runs, best } = keptBy(curve, rate, least, alpha);
  const cut = cuts.below(threshold);
  // Above all scores nobody is called, which keeps a specificity as the highest score does.
  if (cut === cuts.n) return rate === "specificity" && best !== null;
  return runs.some(([from, to]) => from <= cut && cut < to);
}

/** The highest rate that any threshold can promise, and the kind of rows whose number limits it. */
export function mostPromised(curve: Curve, rate: GoalRate, alpha: number) {
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const least = (low + high) / 2;
    // Two tests of each chain are enough: if any cut of it is inside, at most the first test is of one outside.
    if (keptRuns(curve, { rate, least }, alpha, 2).runs.length > 0) low = least;
    else high = least;
  }
  return { most: low, ...rowsOf(rate, curve.nTest) };
}
