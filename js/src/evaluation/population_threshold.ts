// A threshold that keeps a rate in the population; its twin is decisions/population_threshold.py.

import type { Pair } from "../base/pair.ts";
import { incompleteBeta } from "./exact_limits.ts";
import { settableThreshold } from "./observed_curve.ts";
import type { RuledThreshold } from "./threshold_rules.ts";
import type { Evaluation, PopulationWish } from "./types.ts";

/** The rates that the page can promise a threshold for: each is a share of one label, and the threshold an order statistic. */
export type KeptRate = PopulationWish["rate"];

type Curve = Pick<Evaluation, "thresholds" | "truePositives" | "falsePositives" | "nTest">;

/** Counts that lie above the mean of a binomial law by more than this many deviations, and `SOME`, have no chance. */
const BEYOND = 12;
const SOME = 30;
const HALVINGS = 40;

/**
 * The threshold at which, but for a chance of alpha, the wish holds in the population; null where none can promise it.
 * The highest one for the sensitivity, the lowest one for the specificity.
 */
export function populationThreshold(
  curve: Curve,
  { rate, least }: PopulationWish,
  alpha: number,
): RuledThreshold | null {
  const { n, kept, places } = counted(curve, rate);
  const needed = fewest(n, least, alpha);
  const vertex = places.find((i) => kept(i) >= needed);
  return vertex === undefined ? null : { vertex, threshold: settableThreshold(curve.thresholds, vertex) };
}

/** The most that any threshold can promise, and the rows whose number bounds it. */
export function mostPromised(curve: Curve, rate: KeptRate, alpha: number) {
  const { n, kept, places } = counted(curve, rate);
  const best = Math.max(0, ...places.slice(-1).map(kept));
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (best >= fewest(n, middle, alpha)) low = middle;
    else high = middle;
  }
  return { most: low, n };
}

/**
 * Range in which the threshold would mostly be if the rows were drawn again and again: its rank follows a binomial
 * law. Null where no threshold promises the wish.
 */
export function wishSpread(
  curve: Curve,
  { rate, least }: PopulationWish,
  alpha: number,
  mostly = 0.95,
): Pair<number> | null {
  const { n, kept, places } = counted(curve, rate);
  const needed = fewest(n, least, alpha);
  if (needed > n) return null;
  const chance = (i: number) => incompleteBeta(kept(i) / n, needed, n - needed + 1);
  const ends = [(1 - mostly) / 2, (1 + mostly) / 2].map((share) => places.find((i) => chance(i) >= share));
  const [first, last] = ends.map((i) => (i === undefined ? null : settableThreshold(curve.thresholds, i)));
  if (first === null || last === null) return null;
  return first < last ? [first, last] : [last, first];
}

/** The number of the label's rows, how many of them each vertex keeps, and the vertices, the most wanted first. */
function counted({ thresholds, truePositives, falsePositives, nTest }: Curve, rate: KeptRate) {
  // The first vertex calls nobody positive, which keeps a specificity without any row.
  const places = Array.from({ length: thresholds.length - 1 }, (_, i) => i + 1);
  if (rate === "sensitivity") return { n: nTest[1], kept: (i: number) => truePositives[i], places };
  return { n: nTest[0], kept: (i: number) => nTest[0] - falsePositives[i], places: places.reverse() };
}

/** The fewest successes that a rate of `least` reaches with a chance of at most alpha; n + 1 where none is so rare. */
function fewest(n: number, least: number, alpha: number): number {
  if (least <= 0) return 1;
  if (least >= 1) return n + 1;
  const odds = Math.log(least) - Math.log1p(-least);
  let k = Math.min(n, Math.ceil(n * least + BEYOND * Math.sqrt(n * least * (1 - least)) + SOME));
  let chance = k * Math.log(least) + (n - k) * Math.log1p(-least) + logChoices(n, k);
  let tail = 0;
  for (; k >= 0; k--) {
    tail += Math.exp(chance);
    if (tail > alpha) return k + 1;
    chance += Math.log(k) - Math.log(n - k + 1) - odds;
  }
  return 1;
}

/** Logarithm of the number of ways to choose k of n. */
const logChoices = (n: number, k: number) => logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/** Logarithm of n!: the product up to 10, above it Stirling's series, which is then right to the last digits. */
function logFactorial(n: number): number {
  let shift = 0;
  let x = n + 1;
  for (; x < 10; x++) shift += Math.log(x);
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7);
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - shift;
}
