// Limits at every threshold at once, from how many test residuals may lie below each calibration residual; its twins are
// rank_envelope.py and everywhere.py.

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

/** If a label has more calibration residuals than this, this many of their ranks are bounded, in even steps. */
const RANKS = 64;
/** Larger than rounding, smaller than one test point, so that a count that equals its limit is within it. */
const ROUNDING = 1e-6;

export const isForEveryThreshold = ({ kind }: Pick<Promised, "kind">) => kinds[kind].joint;

/** The promises that the reader may choose from, for all entries alike; a single one is no choice. */
export function promisesOf({ entries }: Group, hasKernel = true): Guarantee[] {
  const canHave = ({ words, others }: Evaluation, kind: Guarantee) =>
    words.kind === kind ||
    others.some(
      (other) => other.words.kind === kind && (hasKernel || kind !== "credible" || other.frozen !== null),
    );
  const areAlike = entries.every(({ words }) => words.kind === entries[0].words.kind);
  return areAlike ? GUARANTEES.filter((kind) => entries.every((entry) => canHave(entry, kind))) : [];
}

/** The group under the guarantee that is wanted, if its evaluations can have it. */
export function withGuarantee(group: Group, wanted: unknown): Group {
  const kind = promisesOf(group).find((each) => each === wanted);
  return kind === undefined || group.entries.every(({ words }) => words.kind === kind)
    ? group
    : promised[kind](group);
}

const GUARANTEES = ["individual", "everywhere", "credible"] as const;
type Guarantee = (typeof GUARANTEES)[number];

/** For each promise the group that was last switched to it. */
const promised = Object.fromEntries(
  GUARANTEES.map((kind) => [kind, remembered((group: Group) => switchedTo(group, kind))]),
) as Record<Guarantee, (group: Group) => Group>;

function switchedTo(group: Group, kind: Guarantee): Group {
  const entries = group.entries.map((entry): Evaluation => {
    const { words, vacuousBelow, notes, curves, frozen } = entry;
    const all = [{ words, vacuousBelow, notes, curves, frozen }, ...entry.others];
    const own = all.find((one) => one.words.kind === kind);
    const others = all.filter((one) => one !== own);
    // Candidate rates are not shifts of the scores, so there are no centres to shift.
    const limits = kind === "credible" ? { centres: null, unranked: null, groups: null } : {};
    return { ...entry, ...own, ...limits, others };
  });
  return { ...group, entries };
}

/** Ranks of n calibration residuals that are bounded, ascending. */
export function envelopeRanks(n: number): number[] {
  if (n <= RANKS) return Array.from({ length: n }, (_, i) => i + 1);
  const low = Array.from({ length: RANKS / 2 }, (_, i) =>
    Math.floor(((2 * i + 1) * (n + 1) + RANKS) / (2 * RANKS)),
  );
  return [...low, ...low.map((rank) => n + 1 - rank).reverse()];
}

/** At each of these ranks, the number of m test residuals that may lie below that residual; all hold at once. */
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

/** The band: ends of the intervals by label, findings, and the range of the area. */
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

/** How many of m test residuals may lie below each of a label's residuals. */
const mostAt = (envelope: Envelope, n: number, m: number, alpha: number) =>
  mostBelow(n, m, criticalAt(envelope, alpha)).map((most) => Math.min(most + envelope.more, m));

/** Test points of a label; in place of weighted ones evenly spaced quantiles of them, as many as their effective number. */
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

/** Limits within the promise’s thresholds; elsewhere those that follow, since rates only fall. */
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
 * Limits of the ordered logits of the true probabilities: all test points but so many have a residual above that of a
 * rank, and so the i-th smallest lies above the centre so many places lower, plus that residual; and mirrored.
 */
function orderedLimits({ n, values }: Sorted, { residuals }: Envelope, most: number[]): Pair<Ends> {
  const size = values.length;
  const lower = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  residuals.forEach((residual, r) => {
    // If the centres are thinned, each stands for n / size points.
    const below = Math.ceil((most[r] * size) / n);
    const above = Math.ceil((most[most.length - 1 - r] * size) / n);
    for (let i = below; i < size; i++) lower[i] = Math.max(lower[i], values[i - below] + residual);
    for (let i = 0; i < size - above; i++) upper[i] = Math.min(upper[i], values[i + above] + residual);
  });
  // A threshold that equals a limit may lie above a lower one, and below an upper one.
  return [
    { values: lower, shift: 0 },
    { values: upper, shift: 2 * TIE },
  ];
}

/** Whether all points of a label lack a lower limit, an upper limit, and both. */
function openOf([{ values: lower }, { values: upper }]: Pair<Ends>) {
  const missing: Pair<boolean> = [
    lower[lower.length - 1] === Number.NEGATIVE_INFINITY,
    upper[0] === Number.POSITIVE_INFINITY,
  ];
  return { missing, either: missing[0] && missing[1] };
}

/** The residuals that bound a label's rate at a threshold, from below and from above; null under another promise. */
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
