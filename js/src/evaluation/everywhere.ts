// Computes limits that hold at every threshold at once. They follow from bounds on how many test residuals are below
// each calibration residual. In Python: rank_envelope.py and everywhere.py.

import { kinds } from "../../../conformal_roc_widget/promises.json";
import { partitionPoint } from "../base/bisect.ts";
import { logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { stopOf } from "../base/steps.ts";
import { TIE } from "../base/ties.ts";
import { type Ends, shareAbove, shareRankedAbove } from "./sorted_sample.ts";
import type {
  Envelope,
  Evaluation,
  Findings,
  Frame,
  Group,
  Label,
  OrderStatistic,
  Promised,
  Sorted,
} from "./types.ts";

/**
 * If a label has more calibration residuals than this, only this many of their ranks have bounds. These ranks are
 * evenly spaced.
 */
const RANKS = 64;
/**
 * This is added to each limit of a count, so that rounding cannot exclude a count that equals the limit. It
 * is less than one test point.
 */
const ROUNDING = 1e-6;

export const isForEveryThreshold = ({ kind }: Pick<Promised, "kind">) => kinds[kind].joint;

/**
 * Returns the guarantees that the user can choose for all evaluations of a group. If there is only one, there is no
 * choice. Without a kernel, credible limits can be chosen only if they were computed in advance.
 */
export function promisesOf({ entries }: Group, hasKernel = true): Guarantee[] {
  const canHave = ({ words, others }: Evaluation, kind: Guarantee) =>
    words.kind === kind ||
    others.some(
      (other) => other.words.kind === kind && (hasKernel || kind !== "credible" || other.frozen !== null),
    );
  const areAlike = entries.every(({ words }) => words.kind === entries[0].words.kind);
  return areAlike ? GUARANTEES.filter((kind) => entries.every((entry) => canHave(entry, kind))) : [];
}

/**
 * Returns the group with the limits of the guarantee that the user chose. If an evaluation cannot have them, returns
 * the group unchanged.
 */
export function withGuarantee(group: Group, wanted: unknown): Group {
  const kind = promisesOf(group).find((each) => each === wanted);
  return kind === undefined || group.entries.every(({ words }) => words.kind === kind)
    ? group
    : promised[kind](group);
}

const GUARANTEES = ["individual", "everywhere", "credible"] as const;
type Guarantee = (typeof GUARANTEES)[number];

/** For each guarantee, the function that switches a group to it. Its last result is cached. */
const promised = Object.fromEntries(
  GUARANTEES.map((kind) => [kind, remembered((group: Group) => switchedTo(group, kind))]),
) as Record<Guarantee, (group: Group) => Group>;

function switchedTo(group: Group, kind: Guarantee): Group {
  const entries = group.entries.map((entry): Evaluation => {
    const { words, vacuousBelow, notes, curves, frozen } = entry;
    const all = [{ words, vacuousBelow, notes, curves, frozen }, ...entry.others];
    const own = all.find((one) => one.words.kind === kind);
    const others = all.filter((one) => one !== own);
    // Credible limits bound the rates directly and shift no scores, so they have no centres.
    const limits = kind === "credible" ? { centres: null, unranked: null, groups: null } : {};
    return { ...entry, ...own, ...limits, others };
  });
  return { ...group, entries };
}

/** Returns the ranks, among n calibration residuals, that get bounds, in ascending order. */
export function envelopeRanks(n: number): number[] {
  if (n <= RANKS) return Array.from({ length: n }, (_, i) => i + 1);
  const low = Array.from({ length: RANKS / 2 }, (_, i) =>
    Math.floor(((2 * i + 1) * (n + 1) + RANKS) / (2 * RANKS)),
  );
  return [...low, ...low.map((rank) => n + 1 - rank).reverse()];
}

/**
 * Returns for each rank of `envelopeRanks(n)` how many of m test residuals may be below the calibration residual of
 * that rank. All these bounds hold at once.
 */
export function mostBelow(n: number, m: number, critical: number): number[] {
  return envelopeRanks(n).map((rank) => {
    const mean = rank / (n + 1);
    const deviation = Math.sqrt((mean * (1 - mean) * (n + m + 1)) / (m * (n + 2)));
    return Math.floor(Math.min(m * (mean + critical * deviation) + ROUNDING, m));
  });
}

export function criticalAt({ critical }: Pick<Envelope, "critical">, alpha: number): number {
  const stop = stopOf(alpha);
  return stop < 0 ? Number.POSITIVE_INFINITY : critical[stop];
}

/**
 * Limits that hold at every threshold at once. `lower` and `upper` are, for each label, the ends of its test points'
 * intervals. `auc` is the range of the area.
 */
export interface Everywhere {
  lower: Pair<Ends>;
  upper: Pair<Ends>;
  findings: Findings;
  auc: Pair<number>;
}

export function everywhere(evaluation: Evaluation, alpha: number): Everywhere | null {
  const { words, envelope, centres, nCalibration } = evaluation;
  if (words.kind !== "everywhere" || !envelope || !centres) return null;
  const [zeros, ones] = ([0, 1] as const).map((k) => {
    const points = pointsOf(centres[k], envelope[k]);
    const limits = orderedLimits(points, envelope[k], mostAt(envelope[k], nCalibration[k], points.n, alpha));
    return promisedWithin(limits, envelope[k]);
  });
  const open = [zeros, ones].map(openOf);
  return {
    lower: [zeros[0], ones[0]],
    upper: [zeros[1], ones[1]],
    findings: {
      orderStatistics: null,
      guaranteed: [1 - alpha, 1 - alpha],
      local: {
        vacuousShare: [Number(open[0].either), Number(open[1].either)],
        missing: [open[0].missing, open[1].missing],
      },
      notes: [],
    },
    auc: [shareRankedAbove(ones[0], zeros[1]), shareRankedAbove(ones[1], zeros[0])],
  };
}

/**
 * Returns the bounds of `mostBelow` at an alpha, raised by the envelope's `more` rows. `n` and `m` are a label's
 * numbers of calibration residuals and test points.
 */
const mostAt = (envelope: Envelope, n: number, m: number, alpha: number) =>
  mostBelow(n, m, criticalAt(envelope, alpha)).map((most) => Math.min(most + envelope.more, m));

/**
 * Returns the centres of a label's test points. If the points have weights, evenly spaced quantiles replace them, as
 * many as the effective sample size.
 */
function pointsOf(centres: Sorted, { points }: Envelope): Sorted {
  const { n, values } = centres;
  if (points === n) return centres;
  const { counted } = centres;
  const [all, upTo] = counted
    ? [counted.values, (place: number) => counted.before[place]]
    : [values, (place: number) => (place * n) / values.length];
  const quantile = (i: number) => {
    const rank = ((2 * i + 1) * n) / (2 * points);
    return all[partitionPoint(all.length, (place) => upTo(place + 1) <= rank)];
  };
  return { n: points, values: Float64Array.from({ length: points }, (_, i) => quantile(i)) };
}

/**
 * Returns limits that use only the thresholds in `within`, because the guarantee holds only there. At all
 * other thresholds, the limits follow from those in `within`, because rates are monotone.
 */
function promisedWithin([lower, upper]: Pair<Ends>, { within }: Envelope): Pair<Ends> {
  const [first, last] = within.map(logit);
  return [
    {
      ...lower,
      values: lower.values.map((end) =>
        end <= first ? Number.NEGATIVE_INFINITY : Math.min(end, last + 2 * TIE),
      ),
    },
    {
      ...upper,
      values: upper.values.map((end) =>
        end > last - TIE ? Number.POSITIVE_INFINITY : Math.max(end, first - 2 * TIE),
      ),
    },
  ];
}

/**
 * Returns limits of a label's true logits in ascending order. Suppose at most b test points have a residual below the
 * calibration residual of some rank. Then the i-th smallest true logit is at least the (i - b)-th smallest centre plus
 * that residual. Upper limits are analogous.
 */
function orderedLimits({ n, values }: Sorted, { residuals }: Envelope, most: number[]): Pair<Ends> {
  const size = values.length;
  const lower = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  residuals.forEach((residual, r) => {
    // If `values` has only some of the n centres, each of them stands for n / size centres. Ranks are scaled
    // accordingly.
    const below = Math.ceil((most[r] * size) / n);
    const above = Math.ceil((most[most.length - 1 - r] * size) / n);
    for (let i = below; i < size; i++) lower[i] = Math.max(lower[i], values[i - below] + residual);
    for (let i = 0; i < size - above; i++) upper[i] = Math.min(upper[i], values[i + above] + residual);
  });
  // If a threshold equals a lower limit, it counts as above this limit. If it equals an upper limit, it
  // counts as below, because of the shift.
  return [
    { values: lower, shift: 0 },
    { values: upper, shift: 2 * TIE },
  ];
}

/**
 * Tells which limits of a label are missing: `missing[0]` is true if no point has a lower limit, and
 * `missing[1]` if no point has an upper limit. `either` is true if both are true.
 */
function openOf([{ values: lower }, { values: upper }]: Pair<Ends>) {
  const missing: Pair<boolean> = [
    lower[lower.length - 1] === Number.NEGATIVE_INFINITY,
    upper[0] === Number.POSITIVE_INFINITY,
  ];
  return { missing, either: missing[0] && missing[1] };
}

/**
 * Returns the two calibration residuals that make the lower and the upper limit of a label's rate at a threshold. A
 * residual is null if its limit does not exist. The result is null if the evaluation has another guarantee.
 */
export function bindingRanks(
  { centres, envelope, nCalibration }: Evaluation,
  { kind, alpha, threshold }: Pick<Frame, "kind" | "alpha" | "threshold">,
  label: Label,
): Pair<OrderStatistic | null> | null {
  if (kind !== "everywhere" || !centres || !envelope) return null;
  const { residuals } = envelope[label];
  const { n: m, values } = pointsOf(centres[label], envelope[label]);
  const at = logit(threshold);
  const most = mostAt(envelope[label], nCalibration[label], m, alpha);
  const ranks = envelopeRanks(nCalibration[label]);
  const above = (r: number, tie: number) =>
    Math.round(m * shareAbove({ values, shift: residuals[r] + tie }, at));
  const places = ranks.map((_, r) => r);
  const binding = (gain: (r: number) => number) => {
    const best = places.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    return gain(best) > 0 ? { rank: ranks[best], residual: residuals[best] } : null;
  };
  return [
    binding((r) => above(r, 0) - most[r]),
    binding((r) => m - above(r, 2 * TIE) - most[most.length - 1 - r]),
  ];
}
