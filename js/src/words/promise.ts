// Writes the guarantee of figures other than the rates. In Python: promise.py.

import {
  conditions,
  levels,
  models,
  phrases,
  scopes,
  targets,
} from "../../../conformal_roc_widget/promises.json";
import { filled, words } from "../base/words.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { NO_WORDS, type Phrase, promiseOf, shortOf } from "../evaluation/guarantee.ts";
import type { ModelKey, PromiseLine, Words } from "../evaluation/types.ts";
import type { Picture } from "../shown/picture.ts";
import { reach } from "./one_evaluation.ts";

export type Legend = Words & { reach: string };

const NO_LINE: PromiseLine = { level: "", scope: "", after: "", rest: "", chosen: "any", condition: "" };
export const NOTHING: Legend = { target: "", scope: "", guarantee: "", line: NO_LINE, reach: "" };

/** Returns the words of a guarantee, with a sentence on the test points that are far from the calibration data. */
export const withReach = ({ evaluation, frame }: Picture, promise: Words): Legend => ({
  target: promise.target,
  scope: promise.scope,
  guarantee: promise.guarantee,
  line: promise.line,
  reach: reach(evaluation, frame),
});

/** Returns a guarantee as one sentence. */
export const sentenceOf = ({ level, scope, after, rest }: PromiseLine) =>
  scope === "" ? `${level}.` : `${level} for ${scope}${after}${rest}.`;

type Around = readonly [head: Phrase, tail: Phrase];

/**
 * If the shown figure has no guarantee of its own, as the precision has none, these words stand around the
 * guarantee of the rates.
 */
export const PRECISION_HAS_NONE: Around = [phrases.precision_head, phrases.precision_tail];
export const FIGURE_HAS_NONE: Around = [phrases.figure_head, NO_WORDS];

function around<Said extends Words>(rates: Said, [head, tail]: Around): Said {
  const [before, behind] = [shortOf(head), shortOf(tail)];
  const { level, rest, condition, scope } = rates.line;
  const line =
    scope === ""
      ? { ...rates.line, level: `${before}${level}${behind}` }
      : {
          ...rates.line,
          level: `${before}${level}`,
          rest: `${rest}${behind}`,
          condition: behind === "" ? condition : words("promise.under"),
        };
  return { ...rates, guarantee: `${head.text}${rates.guarantee}${tail.text}`, line };
}

const ofFigure = (noun: string, model: ModelKey, points: string) =>
  filled(targets.figure, { noun, full: models[model].full, points });

/**
 * Returns the guarantee of a figure that is computed from the rates of both labels. Its limits hold if the limits of
 * both rates hold together.
 */
export function ofBothLabels(picture: Picture, noun: string, points: string, less: Around): Legend {
  const rates = picture.frame;
  const said = isForEveryThreshold(rates) ? rates : around<Words>(rates, less);
  return withReach(picture, { ...said, target: ofFigure(noun, rates.model, points) });
}

/**
 * Returns the guarantee that each class has. The page writes it below the guarantee of the classes' average.
 * It names the classes without limits.
 */
export function ofEachClass(rates: Words, withoutLimits: string): Words {
  const without = withoutLimits ? filled(phrases.class_without.text, { names: withoutLimits }) : "";
  const tail = {
    text: filled(phrases.class_tail.text, { without }),
    short: filled(phrases.class_tail.short, { without }),
  };
  return {
    ...around(rates, [NO_WORDS, tail]),
    target: filled(targets.class, { target: rates.target }),
    scope: words("promise.class_scope", { scope: rates.scope }),
  };
}

/** Returns the guarantee that each fold has. The page writes it below the guarantee of the pooled curve. */
export const ofEachFold = (rates: Words): Words => ({
  ...around(rates, [NO_WORDS, { text: "", short: ", of each fold" }]),
  scope: `${rates.scope}; one fold at a time`,
});

/** Returns the guarantee of the bounds of P(y = 1 | score). */
export const ofScores = (alpha: number) =>
  promiseOf(
    {
      target: targets.scores,
      scope: scopes.every_score,
      level: levels.at_least,
      condition: conditions.monotone,
    },
    alpha,
  );

/**
 * Returns the guarantee of confidence limits, in the population, for a figure of this classifier that depends on both
 * labels. `isKnown` tells that the user gave the prevalence, which then counts as exact. `isFollowed` tells that
 * outcomes have a time.
 */
export function ofMoreData(
  noun: string,
  alpha: number,
  { isExact, isKnown, isFollowed }: Record<"isExact" | "isKnown" | "isFollowed", boolean>,
): Words {
  const points = words(isKnown ? "promise.more_points_known" : "promise.more_points");
  const target = ofFigure(noun, "classifier", points);
  const [scope, condition] = [scopes.fixed_threshold, conditions.same_source];
  if (isExact) return promiseOf({ target, scope, level: levels.at_least, condition }, alpha);
  const leaving = conditions.leaving_tells_nothing;
  const both = {
    ...condition,
    text: `${condition.text} and ${leaving.text}`,
    short: `${shortOf(condition)} and ${shortOf(leaving)}`,
  };
  const [level, tail] = [levels.in_large_samples, phrases.large_tail];
  return promiseOf({ target, scope, level, condition: isFollowed ? both : condition, tail }, alpha);
}
