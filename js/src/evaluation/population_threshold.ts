// Finds a threshold at which a rate in the population is, with confidence 1 - alpha, at least as high as the user asks.
// In Python: decisions/population_threshold.py, which has the proof.

import { partitionPoint } from "../base/bisect.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { incompleteBeta } from "./exact_limits.ts";
import { settableThreshold } from "./observed_curve.ts";
import type { RuledThreshold } from "./threshold_rules.ts";
import type { Confusion, Evaluation, GoalRate, PopulationWish } from "./types.ts";

type Curve = Pick<Evaluation, "thresholds" | "truePositives" | "falsePositives" | "nTest" | "anySize">;

const STARTS = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];
const FEW_STARTS = [0.1, 0.3, 0.5, 0.7, 0.9];
/** The number of chains that start at ranks: one for each twentieth of the rows. */
const RANKED = 20;
const HALVINGS = 40;

/**
 * How a rate is tested. Cuts are tested one after the other, in chains that stop at the first failure. `ways` are the
 * directions of the chains along the scores, `starts` the scores at which they start. `chosen` says which of the cuts
 * that passed is taken: the highest (1), the lowest (-1), or the one with the most successes (0). If scores are in a unit
 * of their own, chains in the direction `ranked` start at ranks.
 */
interface Rule {
  /** Returns successes and trials of the rate at a cut. */
  counts(called: Confusion): Pair<number>;
  ways: readonly number[];
  starts: readonly number[];
  ranked?: number;
  chosen: number;
  /** The kind of rows whose number limits what can be guaranteed. */
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
  precision: {
    ...{ ways: [-1], starts: STARTS, ranked: 1, chosen: -1, rows: "rows" },
    counts: ({ tp, fp }) => [tp, tp + fp],
  },
  npv: {
    ...{ ways: [1], starts: STARTS, ranked: -1, chosen: 1, rows: "rows" },
    counts: ({ tn, fn }) => [tn, tn + fn],
  },
  accuracy: {
    ...{ ways: [1, -1], starts: FEW_STARTS, chosen: 0, rows: "rows" },
    counts: ({ tp, fp, tn, fn }) => [tp + tn, tp + fp + tn + fn],
  },
};

/** Returns successes and trials of a rate, from the counts of the confusion matrix. */
export const countsOf = (rate: GoalRate, called: Confusion) => RULES[rate].counts(called);

/** Returns the kind of rows whose number limits what can be guaranteed about a rate, and this number. */
export function rowsOf(rate: GoalRate, [zeros, ones]: Pair<number>) {
  const { rows } = RULES[rate];
  return { rows, n: { positives: ones, negatives: zeros, rows: zeros + ones }[rows] };
}

/**
 * The possible thresholds of a curve in ascending order: its distinct scores, and one value above them. A cut
 * is the index of such a threshold. The curve's vertices are the same thresholds in reverse order.
 */
class Cuts {
  readonly n: number;

  constructor(readonly curve: Curve) {
    this.n = curve.thresholds.length - 1;
  }

  score = (cut: number) => this.curve.thresholds[this.n - cut];

  below = (score: number) => partitionPoint(this.n, (cut) => this.score(cut) < score);

  upTo = (score: number) => partitionPoint(this.n, (cut) => this.score(cut) <= score);

  /**
   * Returns the scores at which chains in a direction start. Upwards, at most k twentieths of the rows score as much or
   * more. Downwards, at most k twentieths of the rows score less.
   */
  ranked(way: number): number[] {
    const all = this.curve.nTest[0] + this.curve.nTest[1];
    const under = (cut: number) => {
      const { tn, fn } = this.called(cut);
      return tn + fn;
    };
    return Array.from({ length: RANKED }, (_, k) => {
      const left = Math.floor((all * (k + 1)) / RANKED);
      const cut =
        way > 0
          ? partitionPoint(this.n, (each) => under(each) < all - left)
          : partitionPoint(this.n + 1, (each) => under(each) <= left) - 1;
      return cut < this.n ? this.score(cut) : Number.POSITIVE_INFINITY;
    });
  }

  called(cut: number): Confusion {
    const { truePositives, falsePositives, nTest } = this.curve;
    const [fp, tp] = [falsePositives[this.n - cut], truePositives[this.n - cut]];
    return { tp, fp, tn: nTest[0] - fp, fn: nTest[1] - tp };
  }
}

/**
 * If a computed probability exceeds a level by less than this factor, it counts as equal, because it may be a rounding
 * error.
 */
const TOUCHES = 1 + 1e-12;

/**
 * Whether the test rejects that the true rate is below `wish`: if it equalled `wish`, k or more successes in n trials
 * would have at most the probability `level`.
 */
const passes = ([k, n]: Pair<number>, wish: number, level: number) =>
  k > 0 && incompleteBeta(wish, k, n - k + 1) <= level * TOUCHES;

/**
 * Returns the ranges of cuts that keep the rate, each as its first cut and the cut after its last. Each chain makes at
 * most `most` tests.
 */
function keptRuns(
  curve: Curve,
  { rate, least }: PopulationWish,
  alpha: number,
  most = Number.POSITIVE_INFINITY,
) {
  const cuts = new Cuts(curve);
  const rule = RULES[rate];
  const { counts, ranked, rows } = rule;
  const runs: Pair<number>[] = [];
  const [ways, starts] = curve.anySize && ranked ? [[ranked], cuts.ranked(ranked)] : [rule.ways, rule.starts];
  for (const way of ways) {
    const part = alpha / ways.length / starts.length;
    const ordered = starts.toSorted((a, b) => way * (a - b));
    let level = 0;
    ordered.forEach((start, i) => {
      const end = ordered[i + 1] ?? way * Number.POSITIVE_INFINITY;
      const first = cuts.below(start);
      // A chain may begin or end between two scores, where the counts are those at the upper score. So its
      // first or last test may be at a cut outside the chain.
      const stop = way > 0 ? Math.min(cuts.below(end), cuts.n - 1) : cuts.upTo(end);
      const inside = way > 0 ? [first, cuts.below(end)] : [cuts.upTo(end), cuts.upTo(start)];
      const tests = Math.max(0, way * (stop - first) + 1);
      level += part;
      const keeps = (i: number) => passes(counts(cuts.called(first + way * i)), least, level);
      let passed = 0;
      // If the rate counts the rows of one label (`rows` is not "rows"), its successes never increase along a
      // chain. So bisection finds the first test that fails.
      if (rows !== "rows") passed = partitionPoint(Math.min(tests, most), keeps);
      else while (passed < Math.min(tests, most) && keeps(passed)) passed++;
      const reached = first + way * (passed - 1);
      const from = Math.max(Math.min(first, reached), inside[0]);
      const to = Math.min(Math.max(first, reached) + 1, inside[1]);
      if (passed > 0 && from < to) runs.push([from, to]);
      if (passed < tests) level = 0;
    });
  }
  return { cuts, runs };
}

/**
 * Returns the cuts that keep a goal, and the one that is chosen. The result is cached, because it does not depend on
 * the threshold.
 */
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

/**
 * Returns the threshold at which, with probability 1 - alpha, the rate in the population is at least as high as the
 * goal. Null if no threshold guarantees it.
 */
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

/**
 * Whether the goal is kept at this threshold too. All cuts that passed hold together, so the user may pick any of them.
 */
export function isKept(
  curve: Curve,
  { rate, least }: PopulationWish,
  alpha: number,
  threshold: number,
): boolean {
  const { cuts, runs, best } = keptBy(curve, rate, least, alpha);
  const cut = cuts.below(threshold);
  // `cuts.n` means that the threshold is above all scores. No row is then predicted positive, and the
  // specificity is 1. If any cut keeps a specificity, this threshold keeps it too.
  if (cut === cuts.n) return rate === "specificity" && best !== null;
  return runs.some(([from, to]) => from <= cut && cut < to);
}

/**
 * Returns the highest value of a rate that can be guaranteed at some threshold. The result is cached, because it does
 * not depend on the threshold.
 */
export const mostPromised = remembered((curve: Curve, rate: GoalRate, alpha: number) => {
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const least = (low + high) / 2;
    // Of the first two tests of a chain, only the first can be at a cut outside the chain. So two tests tell
    // whether a cut inside the chain is kept.
    if (keptRuns(curve, { rate, least }, alpha, 2).runs.length > 0) low = least;
    else high = least;
  }
  return low;
});
