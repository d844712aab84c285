// The curve of each view but the ROC, as lines over its axes: computed from the counts and limits at the vertices.

import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { clamp } from "../base/scale.ts";
import { boundsAt, type CalibrationBand, isotonicAt, isotonicOf, reliability } from "./calibration_band.ts";
import { type Edges, steps } from "./curve_lines.ts";
import { netBenefit, netBenefitOf, riskOf, treatAll } from "./net_benefit.ts";
import type { Line } from "./observed_curve.ts";
import { ownPrevalence, precisionAt, precisionLimits, precisionRecall } from "./precision_recall.ts";
import { scoreCounts } from "./score_counts.ts";
import type { Evaluation, Frame } from "./types.ts";

/** All in units of the axes. */
export interface ViewCurve {
  line: Line;
  edges: Edges;
  /** Where the operating point stands at each vertex. */
  track: Line;
  /** A line of what is had without a classifier; the chance line of the view. */
  baseline: Line;
  /** Outline of the test points' numbers along the axis, in the view whose axis is the score. */
  counts: Line;
}

export interface ViewPoint {
  x: number;
  y: number;
  lower: number;
  upper: number;
}

/** A view of an evaluation at one alpha, and the operating point in it. */
export interface ViewTable {
  /** The ends of both axes. */
  across: Pair<number>;
  up: Pair<number>;
  curve(evaluation: Evaluation, frame: Frame, prevalence: number): ViewCurve;
  point(evaluation: Evaluation, frame: Frame, prevalence: number): ViewPoint;
}

/** The one table of the page for a view, at the share of positives where the classifier is used. */
export function viewTable(view: "precision_recall" | "reliability" | "net_benefit", prevalence: number) {
  return {
    precision_recall: PRECISION_RECALL,
    reliability: RELIABILITY,
    net_benefit: { ...NET_BENEFIT, up: [-prevalence / 6, prevalence] as Pair<number> },
  }[view];
}

const UNIT: Pair<number> = [0, 1];
const lineOf = (...points: Pair<number>[]): Line => ({
  x: Float64Array.from(points, ([x]) => x),
  y: Float64Array.from(points, ([, y]) => y),
});

/** As scikit-learn draws it: from each vertex first up or down, then along x to the next. */
function stepsBefore({ x, y }: Line): Line {
  const across = steps({ x: y, y: x });
  return { x: across.y, y: across.x };
}

const PRECISION_RECALL: ViewTable = {
  across: UNIT,
  up: UNIT,
  curve(evaluation, { limits }, prevalence) {
    return precisionLines(precisionRecall(evaluation, limits, prevalence), prevalence);
  },
  point(_, { point }, prevalence) {
    const { tpr, fpr } = point;
    const [lower, upper] = precisionLimits(point, prevalence);
    const precision = precisionAt(tpr, fpr, prevalence);
    return { x: tpr, y: Number.isNaN(precision) ? 1 : precision, lower, upper };
  },
};

const precisionLines = remembered(
  ({ line, lower, upper }: ReturnType<typeof precisionRecall>, prevalence: number) => ({
    line: stepsBefore(line),
    edges: { upper: stepsBefore({ x: line.x, y: upper }), lower: stepsBefore({ x: line.x, y: lower }) },
    track: line,
    baseline: lineOf([0, prevalence], [1, prevalence]),
    counts: lineOf(),
  }),
);

const RELIABILITY: ViewTable = {
  across: UNIT,
  up: UNIT,
  curve: (evaluation, { alpha }) => reliabilityLines(reliability(evaluation, alpha), evaluation),
  point(evaluation, { alpha, threshold }) {
    const band = reliability(evaluation, alpha);
    const at = clamp(threshold, 0, 1);
    const [lower, upper] = boundsAt(band, at);
    return { x: at, y: isotonicAt(band, at), lower, upper };
  },
};

const reliabilityLines = remembered((band: CalibrationBand, evaluation: Evaluation) => {
  const { first, last } = band.groups;
  const shares = isotonicOf(band.groups);
  const upper: Pair<number>[] = [[0, band.upper[0]]];
  const lower: Pair<number>[] = [[0, 0]];
  const line: Pair<number>[] = [[first[0], shares[0]]];
  for (let i = 0; i < first.length; i++) {
    const next = band.upper[i + 1] ?? 1;
    if (next !== band.upper[i]) upper.push([first[i], band.upper[i]], [first[i], next]);
    const before = band.lower[i - 1] ?? 0;
    if (before !== band.lower[i]) lower.push([last[i], before], [last[i], band.lower[i]]);
    if (i > 0 && shares[i] !== shares[i - 1]) line.push([first[i], shares[i - 1]], [first[i], shares[i]]);
  }
  upper.push([1, 1]);
  lower.push([1, band.lower[first.length - 1]]);
  line.push([last[first.length - 1], shares[first.length - 1]]);
  const x = evaluation.thresholds.map((threshold) => clamp(threshold, 0, 1));
  return {
    line: lineOf(...line),
    edges: { upper: lineOf(...upper), lower: lineOf(...lower) },
    track: { x, y: x.map((score) => isotonicAt(band, score)) },
    baseline: lineOf([0, 0], [1, 1]),
    counts: scoreCounts(evaluation),
  };
});

const NET_BENEFIT: ViewTable = {
  across: UNIT,
  up: UNIT,
  curve(evaluation, { limits }, prevalence) {
    return benefitLines(netBenefit(evaluation, limits, prevalence), evaluation, prevalence);
  },
  point(evaluation, { point, threshold }, prevalence) {
    if (threshold >= 1) return { x: 1, y: 0, lower: 0, upper: 0 };
    const risk = riskOf(Math.max(threshold, 0), ownPrevalence(evaluation), prevalence);
    const { netBenefit: y, lower, upper } = netBenefitOf(point, risk, prevalence);
    return { x: risk, y, lower, upper };
  },
};

const benefitLines = remembered(
  (
    { line, lower, upper, first }: ReturnType<typeof netBenefit>,
    { thresholds }: Evaluation,
    prevalence: number,
  ) => {
    const n = thresholds.length;
    const track = { x: new Float64Array(n).fill(1), y: new Float64Array(n) };
    track.x.set(line.x, first);
    track.y.set(line.y, first);
    const risks = Array.from({ length: 101 }, (_, i) => i / 101);
    return {
      line,
      edges: { upper: { x: line.x, y: upper }, lower: { x: line.x, y: lower } },
      track,
      baseline: lineOf(...risks.map((risk): Pair<number> => [risk, treatAll(risk, prevalence)])),
      counts: lineOf(),
    };
  },
);
