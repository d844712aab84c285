// Draws the precision and the net benefit of this classifier with their confidence limits in the population.

import { percent, rate, shareNumber, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { remembered } from "../base/remembered.ts";
import { type Values, type WordsKey, words } from "../base/words.ts";
import { limitsOfMean } from "../evaluation/estimate.ts";
import { oddsOf } from "../evaluation/net_benefit.ts";
import { heightAt } from "../evaluation/observed_curve.ts";
import {
  placesOf,
  type Settled,
  settledAt,
  settledBenefit,
  settledPrecision,
} from "../evaluation/settled.ts";
import type { Evaluation, GoalRate } from "../evaluation/types.ts";
import type { Points, Text } from "../scene.ts";
import { goalAtThreshold, isBare } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { type Answer, given, noRisks, sureWords } from "../words/answer.ts";
import { goalLimit } from "../words/goal.ts";
import { type Legend, NOTHING, ofMoreData } from "../words/promise.ts";
import { type Run, runs, SAMPLING_TONE } from "../words/runs.ts";
import { atOne, benefit, benefitHere, isAtOne, NET_BENEFIT } from "./net_benefit.ts";
import { area, arm, SAMPLING_ARMS, SAMPLING_EDGES } from "./parts.ts";
import {
  averageCorner,
  averageOf,
  callsNobody,
  callsNone,
  PRECISION_RECALL,
  precisionHere,
  precisionText,
  precisionValues,
} from "./precision_recall.ts";
import { whyNone } from "./sampling.ts";
import type { View } from "./view.ts";

/**
 * A figure that depends on both labels: the precision or the net benefit. `ideal` is the view that shows the
 * figure with its limits for the true risks. The views of this file show it with its confidence limits for
 * this classifier in the population.
 */
interface Figure {
  ideal: View;
  noun: string;
  text: (value: number) => string;
  /** The unit that follows the limits in texts, such as "%". Empty if there is none. */
  unit: string;
  step: Points["step"];
  here: (picture: Picture) => { x: number; y: number };
  /** Returns the texts of a figure of the whole curve with its limits, such as the average precision. */
  corner?: (picture: Picture) => Text[];
  /** Writes the figure at the threshold. */
  said: (picture: Picture) => string;
  /** The name of the rate that can be a goal. Missing if the figure cannot be a goal. */
  rate?: GoalRate;
  /** Returns the values that the templates of sentences on the figure need. */
  values: (picture: Picture) => Values;
  /** The key of the sentence with limits, and the key of the sentence without limits. */
  sentences: readonly [limited: WordsKey, here: WordsKey];
  /** If the figure is undefined, returns the sentence that says so. Otherwise returns null. */
  instead: (picture: Picture) => Run[] | null;
  /** Whether the limits are binomial, and so hold for every number of rows. */
  exact: boolean;
  /**
   * Whether the figure has a value at every threshold. Otherwise it has one only below 1, because a false positive
   * weighs infinitely much at 1.
   */
  everywhere: boolean;
  /**
   * Returns the limits of the figure at a threshold. `share` is the prevalence that the user gave, or null for that of
   * the test rows.
   */
  limits: (settled: Settled, alpha: number, threshold: number, share: number | null) => Pair<number>;
}

function benefitLimits(settled: Settled, alpha: number, threshold: number, share: number | null) {
  if (threshold >= 1) return [0, 0] as const;
  const odds = oddsOf(Math.max(threshold, 0), settled.own, share ?? settled.own);
  return settledBenefit(settled, alpha, odds, share);
}

/** If the id of a mark begins with one of these words, the mark shows limits for the true risks. */
const IDEAL_MARKS = ["range", "arm", "missing"];

/** The limits of a figure at several vertices. */
interface Band {
  at: number[];
  lower: Float64Array;
  upper: Float64Array;
}

/** Whether texts show no limits: the band "none" hides them, and limits at every look are not known here. */
const isSilent = (picture: Picture) => isBare(picture) || isAnyLook(picture);

/** Returns the indices of the vertices at which the figure has limits. */
const placesIn = ({ thresholds }: Evaluation, { everywhere }: Figure) =>
  placesOf(thresholds.length).filter((i) => everywhere || thresholds[i] < 1);

const bandOfRows = remembered(
  (evaluation: Evaluation, figure: Figure, alpha: number, share: number | null): Band | null => {
    const { thresholds, fpr, tpr } = evaluation;
    const at = placesIn(evaluation, figure);
    const ends = at.flatMap((i) => {
      const settled = settledAt(evaluation, { fpr: fpr[i], tpr: tpr[i] }, thresholds[i]);
      return settled ? [figure.limits(settled, alpha, thresholds[i], share)] : [];
    });
    if (ends.length < at.length) return null;
    const side = (k: 0 | 1) => Float64Array.from(ends, (each) => each[k]);
    return { at, lower: side(0), upper: side(1) };
  },
);

function bandOf(figure: Figure, picture: Picture): Band | null {
  const { evaluation, frame, prevalence } = picture;
  return isSilent(picture) ? null : bandOfRows(evaluation, figure, frame.alpha, prevalence);
}

const atVertex = ({ at, lower, upper }: Band, vertex: number): Pair<number> => {
  const x = Float64Array.from(at);
  return [heightAt({ x, y: lower }, vertex), heightAt({ x, y: upper }, vertex)];
};

/** Returns the limits of the figure at the threshold. Null if they are unknown, for example at every look. */
function limitsHere(figure: Figure, picture: Picture): Pair<number> | null {
  const { evaluation, frame, prevalence } = picture;
  if (isSilent(picture)) return null;
  const settled = settledAt(evaluation, frame.point, frame.threshold);
  return settled && figure.limits(settled, frame.alpha, frame.threshold, prevalence);
}

const rangeText = ({ text, unit }: Figure, [lower, upper]: Pair<number>) =>
  `${text(lower)} to ${text(upper)}${unit}`;

function settledAnswer(figure: Figure, picture: Picture): Answer {
  const meaning = noRisks(picture.evaluation);
  const instead = figure.instead(picture);
  if (instead) return { lead: instead, meaning };
  const limits = limitsHere(figure, picture);
  const values = figure.values(picture);
  const [limited, here] = figure.sentences;
  const goal = picture.prevalence === null ? goalAtThreshold(picture) : null;
  if (goal && goal.rate === figure.rate) {
    const sure = words("say.sure", { level: 1 - picture.frame.alpha });
    return {
      lead: runs(limited, { ...values, limits: goalLimit(goal.least), sure }, SAMPLING_TONE),
      meaning,
    };
  }
  if (limits === null)
    return {
      lead: runs(here, { ...values, why: isBare(picture) ? words("say.hidden") : whyNone(picture) }),
      meaning,
    };
  const said = { ...values, limits: rangeText(figure, limits), sure: sureWords(picture, "beforehand") };
  return { lead: runs(limited, said, SAMPLING_TONE), meaning };
}

function settledPromise(figure: Figure, picture: Picture): Legend {
  const { evaluation, frame, prevalence } = picture;
  if (limitsHere(figure, picture) === null) return NOTHING;
  const isExact = figure.exact && prevalence === null && !evaluation.weighted;
  const isFollowed = evaluation.followed !== null;
  const told = ofMoreData(figure.noun, frame.alpha, { isExact, isKnown: prevalence !== null, isFollowed });
  const also =
    figure.corner && averageLimits(picture)
      ? words("promise.average_precision", { confidence: percent(1 - frame.alpha) })
      : "";
  return { ...told, guarantee: told.guarantee + also, reach: "" };
}

function settledView(figure: Figure): View {
  const { ideal, noun } = figure;
  const replaced = figure.corner ? [...IDEAL_MARKS, "corner"] : IDEAL_MARKS;
  return {
    ...ideal,
    marks(picture) {
      const marks = ideal.marks(picture).filter(({ id }) => !replaced.some((start) => id.startsWith(start)));
      const band = bandOf(figure, picture);
      const { x } = ideal.track(picture);
      const over = (y: Float64Array): Points => ({
        x: Float64Array.from(band?.at ?? [], (i) => x[i]),
        y,
        step: figure.step,
      });
      const limits = limitsHere(figure, picture);
      return [
        ...(band
          ? [
              area(
                "band-sampling",
                words("key.like_these", { noun: picture.noun }),
                over(band.lower),
                over(band.upper),
                SAMPLING_EDGES,
              ),
            ]
          : []),
        ...marks.slice(0, -2),
        ...(limits
          ? arm("arm-1", limits, figure.here(picture).x, SAMPLING_ARMS, ideal.axes(picture).up.ends)
          : []),
        ...(figure.corner?.(picture) ?? []),
        ...marks.slice(-2),
      ];
    },
    answer: (picture) => settledAnswer(figure, picture),
    promise: (picture) => settledPromise(figure, picture),
    numbers(picture) {
      const { columns, rows } = ideal.numbers(picture);
      if (isBare(picture)) return { columns: columns.slice(0, 3), rows: rows.map((row) => row.slice(0, 3)) };
      const band = bandOf(figure, picture);
      const every = band?.at ?? [];
      return {
        columns,
        rows: every.map((i, k) => [...rows[i].slice(0, 3), Number(band?.lower[k]), Number(band?.upper[k])]),
      };
    },
    spoken(picture) {
      const limits = limitsHere(figure, picture);
      const threshold = `threshold ${thresholdText(picture.frame.threshold)}`;
      const range = limits ? `, ${rangeText(figure, limits)}` : "";
      return `${threshold}; ${noun} ${figure.said(picture)}${range}`;
    },
    reading(picture, x, y) {
      const found = ideal.reading(picture, x, y);
      const band = bandOf(figure, picture);
      if (found?.vertex === undefined) return null;
      const limits = band ? rangeText(figure, atVertex(band, found.vertex)) : "";
      const rows = found.rows.map((row, i) => ({
        ...row,
        ...(i === 0 ? { limits, tone: SAMPLING_TONE } : { limits: "" }),
      }));
      return { ...found, rows };
    },
  };
}

/** Returns the limits of the average precision. Null if they are unknown. */
function averageLimits(picture: Picture): Pair<number> | null {
  const { evaluation, prevalence, frame } = picture;
  const rows = evaluation.precisionRows;
  return rows === null || prevalence !== null || isSilent(picture)
    ? null
    : limitsOfMean(averageOf(picture), rows, frame.alpha);
}

/** Writes the limits of the average precision, or why it has none. */
function averageSettles(picture: Picture): string | null {
  if (isBare(picture)) return null;
  const limits = averageLimits(picture)?.map(rate);
  const level = 1 - picture.frame.alpha;
  if (limits) return words("corner.limits", { lower: limits[0], upper: limits[1], level });
  if (isAnyLook(picture)) return words("say.not_at_looks");
  return words(
    picture.evaluation.precisionRows === null ? "corner.no_limits_table" : "corner.no_limits_share",
  );
}

const PRECISION: Figure = {
  ideal: PRECISION_RECALL,
  noun: words("figure.precision"),
  rate: "precision",
  text: shareNumber,
  unit: " %",
  step: "up",
  corner: (picture) => averageCorner(picture, averageSettles(picture)),
  here: precisionHere,
  said: precisionText,
  values: (picture) => ({ ...precisionValues(picture), observed: precisionHere(picture).y }),
  sentences: ["say.precision", "say.precision_here"],
  instead: (picture) => (callsNobody(picture) ? callsNone(picture) : null),
  exact: true,
  everywhere: true,
  limits: (settled, alpha, _, share) => settledPrecision(settled, alpha, share),
};

export const SETTLED_PRECISION = settledView(PRECISION);

/** Returns the limits of the precision at the prevalence among the test rows. */
export const ownPrecision = (picture: Picture) => limitsHere(PRECISION, { ...picture, prevalence: null });

/** Returns the average precision at the prevalence among the test rows, with its limits. */
export function ownAverage(picture: Picture) {
  const own = { ...picture, prevalence: null };
  return { observed: averageOf(own), limits: averageLimits(own) };
}

const BENEFIT: Figure = {
  ideal: NET_BENEFIT,
  noun: words("promise.net_benefit"),
  text: benefit,
  unit: "",
  step: "",
  here: benefitHere,
  said: (picture) => benefit(benefitHere(picture).y),
  values: (picture) => ({ ...given(picture), observed: benefitHere(picture).y }),
  sentences: ["say.benefit", "say.benefit_here"],
  instead: (picture) => (isAtOne(picture) ? atOne(picture).lead : null),
  exact: false,
  everywhere: false,
  limits: benefitLimits,
};

export const SETTLED_BENEFIT = settledView(BENEFIT);

/** Returns the net benefit at the prevalence among the test rows, with its limits. Null if the scores are not risks. */
export function ownBenefit(picture: Picture) {
  const own = { ...picture, prevalence: null };
  if (picture.evaluation.margins) return null;
  return { observed: benefitHere(own).y, limits: limitsHere(BENEFIT, own) };
}
