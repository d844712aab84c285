// Draws the net benefit against the threshold risk, with the range of the ideal model's net benefit.

import { fixed, informativeSides, limitsText, share as shareText, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { clamp } from "../base/scale.ts";
import { words } from "../base/words.ts";
import { netBenefit, netBenefitOf, oddsOf, riskOf, treatAll } from "../evaluation/net_benefit.ts";
import { nearestVertex } from "../evaluation/observed_curve.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import type { Evaluation } from "../evaluation/types.ts";
import { jointSides } from "../evaluation/vacuous.ts";
import type { Line } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import { type Answer, given, noRisks, trueSureWords } from "../words/answer.ts";
import { prevalenceOf } from "../words/one_evaluation.ts";
import { FIGURE_HAS_NONE, ofBothLabels } from "../words/promise.ts";
import { runs } from "../words/runs.ts";
import {
  baseline,
  curve,
  limitArms,
  line,
  missingLimits,
  pen,
  point,
  pointsOf,
  RANGE_ARMS,
  rangeOf,
  UNIT,
} from "./parts.ts";
import { rowsOf, type View } from "./view.ts";

const NONE = line("none", words("key.call_none"), pointsOf(UNIT, [0, 0]), pen("axis"));
/**
 * The risks at which the net benefit of predicting every row positive is drawn. They stop below 1, where a false
 * positive weighs infinitely much.
 */
const RISKS = Float64Array.from({ length: 101 }, (_, i) => i / 101);

/** Net benefits are small, so they have three decimals. */
export const benefit = (value: number) => fixed(value, 3);

const endsOf = (share: number): Pair<number> => [-share / 6, share];

/**
 * Returns the smallest and the largest possible net benefit. It is largest if exactly the positives are predicted
 * positive.
 */
const possible = (picture: Picture): Pair<number> => [Number.NEGATIVE_INFINITY, prevalenceOf(picture)];

/** Writes the limits of a net benefit. */
function limitsOf(picture: Picture, [lower, upper]: Pair<number>): string {
  return limitsText(lower, upper, jointSides(picture.frame), possible(picture), benefit);
}

export const NET_BENEFIT: View = {
  axes: (picture) => ({
    across: { title: words("axis.risk"), ends: UNIT, isPercent: true },
    up: { title: words("axis.net_benefit"), ends: endsOf(prevalenceOf(picture)) },
  }),
  marks(picture) {
    const { evaluation, frame } = picture;
    const share = prevalenceOf(picture);
    const { line: observed, lower, upper } = everyBenefit(picture);
    const here = benefitHere(picture);
    const sides = jointSides(frame);
    const ends = endsOf(share);
    const { x } = observed;
    return [
      rangeOf(
        words("key.ideal_net_benefit") + missingLimits(sides),
        { x, y: upper, step: "" },
        { x, y: lower, step: "" },
        sides,
      ),
      callAll(evaluation, share),
      NONE,
      curve({ ...observed, step: "" }),
      ...limitArms("arm", here.y, [here.lower, here.upper], here.x, sides, RANGE_ARMS, ends),
      ...point(here.x, here.y, frame.threshold, ends),
    ];
  },
  answer: benefitAnswer,
  promise: (picture) =>
    ofBothLabels(picture, words("promise.net_benefit"), words("promise.test_points"), FIGURE_HAS_NONE),
  numbers(picture) {
    const { evaluation } = picture;
    const found = everyBenefit(picture);
    const { x, y } = everyVertex(found, evaluation);
    const limit = (values: Float64Array) => [...new Array(found.first).fill(0), ...values];
    return {
      columns: ["threshold", "risk", "net_benefit", "net_benefit_lower", "net_benefit_upper"],
      rows: rowsOf(evaluation.thresholds, x, y, limit(found.lower), limit(found.upper)),
    };
  },
  spoken(picture) {
    const { y, lower, upper } = benefitHere(picture);
    const here = `threshold ${thresholdText(picture.frame.threshold)}; net benefit ${benefit(y)}`;
    return isAtOne(picture) ? here : `${here}, ${limitsOf(picture, [lower, upper])}`;
  },
  reading(picture, x, y) {
    const { line: observed, lower, upper, first } = everyBenefit(picture);
    if (observed.x.length === 0) return null;
    const [low, high] = endsOf(prevalenceOf(picture));
    // Vertical distances are shares of the axis's length, as the user sees them.
    const seen = (value: number) => value / (high - low);
    const i = nearestVertex({ x: observed.x, y: observed.y.map(seen) }, x, seen(y));
    return {
      vertex: first + i,
      x: observed.x[i],
      y: clamp(observed.y[i], low, high),
      title: `${words("corner.threshold", { threshold: picture.evaluation.thresholds[first + i] })}, risk ${shareText(observed.x[i])}`,
      rows: [
        {
          text: `Net benefit ${benefit(observed.y[i])}`,
          limits: limitsOf(picture, [lower[i], upper[i]]),
          tone: "ink",
        },
      ],
    };
  },
  track: (picture) => everyVertex(everyBenefit(picture), picture.evaluation),
  switches: () => [],
};

function benefitAnswer(picture: Picture): Answer {
  const { y, lower, upper } = benefitHere(picture);
  if (isAtOne(picture)) return atOne(picture);
  const sure = trueSureWords(picture, "say.sure_each");
  const values = { ...given(picture), observed: y, limits: limitsOf(picture, [lower, upper]), sure };
  const risks = noRisks(picture.evaluation);
  const sides = informativeSides(jointSides(picture.frame), [lower, upper], possible(picture));
  if (!sides[0] && !sides[1]) return { lead: runs("say.true_benefit_none", values), meaning: risks };
  return {
    lead: runs("say.true_benefit", values),
    meaning: risks.length > 0 ? risks : runs("answer.no_guarantee"),
  };
}

export const isAtOne = ({ frame }: Picture) => frame.threshold >= 1;

/** Returns the answer at threshold 1, whatever the band. No model has a net benefit there, so there are no limits. */
export const atOne = (picture: Picture): Answer => ({
  lead: runs("say.benefit_at_one", given(picture)),
  meaning: noRisks(picture.evaluation),
});

/** Returns the risk and the net benefit at the threshold, with the limits of the net benefit. */
export function benefitHere(picture: Picture) {
  const { evaluation, frame } = picture;
  if (isAtOne(picture)) return { x: 1, y: 0, lower: 0, upper: 0 };
  const share = prevalenceOf(picture);
  const here = [Math.max(frame.threshold, 0), ownPrevalence(evaluation), share] as const;
  const x = riskOf(...here);
  const { netBenefit: y, lower, upper } = netBenefitOf(frame.point, oddsOf(...here), share);
  return { x, y, lower, upper };
}

/** Returns the risk and the net benefit at every vertex below threshold 1, with the limits of the net benefit. */
const everyBenefit = (picture: Picture) =>
  netBenefit(picture.evaluation, picture.frame.limits, prevalenceOf(picture));

const callAll = remembered(
  (_: Evaluation, share: number): Line =>
    baseline(
      pointsOf(
        RISKS,
        RISKS.map((risk) => treatAll(risk / (1 - risk), share)),
      ),
      words("key.call_all"),
    ),
);

/**
 * Returns the risk and the net benefit at each vertex. If the threshold of a vertex is at least 1, its risk is 1 and
 * its net benefit 0.
 */
const everyVertex = remembered(
  ({ line: { x, y }, first }: ReturnType<typeof netBenefit>, { thresholds: { length } }: Evaluation) => {
    const track = { x: new Float64Array(length).fill(1), y: new Float64Array(length) };
    track.x.set(x, first);
    track.y.set(y, first);
    return track;
  },
);
