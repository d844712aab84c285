// Writes the explanations of the page: of terms that users may not know, and in callouts over the picture.

import { percent } from "../base/format.ts";
import type { Term } from "../base/tooltip.ts";
import { words } from "../base/words.ts";
import type { Picture } from "../shown/picture.ts";

const METHOD = "Guide: The method,";

/** Explains a residual. The axis of residuals uses it too. */
export const RESIDUAL = `How far the classifier is off at one calibration point: the log-odds of the reference minus those of its score. ${METHOD} Residuals.`;
const REFERENCE =
  "An estimate of the true probabilities from labelled points. The band is as good as it is. " +
  "Guide: Your own data, The reference.";

const TERMS: readonly Term[] = [
  { name: "residual", text: RESIDUAL },
  { name: "reference π̃", text: REFERENCE },
  { name: "reference", text: REFERENCE },
  {
    name: "ideal model",
    text: `The model that knows the true probability of each point. ${METHOD} Setting.`,
  },
  {
    name: "pointwise",
    text: `The promise is for ${words("promise.one_point")}. The whole curve leaves its band more often. ${METHOD} What is promised.`,
  },
  {
    name: "one threshold drawn at random",
    text: `A threshold picked without a look at these test points. One picked for its result has no such promise. ${METHOD} What is promised.`,
  },
  {
    name: "Guarantee",
    text: "Useful intervals assume something. It stands after “if”.",
  },
];

/** Returns the explanation of a guaranteed level. It applies if each limit is one of the residuals. */
const levelTerm = (name: string): Term => ({
  name,
  text: `Each limit is one of the residuals, so the level that can be promised goes in steps: the next at or above the confidence. ${METHOD} Intervals.`,
});

/** Splits a text into pieces. The first occurrence of each known term, and of `level`, gets its explanation. */
export const termsIn = (text: string, level = "") =>
  pieces(text, level === "" ? TERMS : [...TERMS, levelTerm(level)]);

function pieces(text: string, terms: readonly Term[]): (string | Term)[] {
  for (const [i, term] of terms.entries()) {
    const at = text.indexOf(term.name);
    if (at < 0) continue;
    const others = terms.slice(i + 1).filter((other) => other.text !== term.text);
    return [...pieces(text.slice(0, at), others), term, ...pieces(text.slice(at + term.name.length), others)];
  }
  return [text];
}

const OVERVIEW = {
  single: "",
  classes: "Each on these test points.",
  classifiers: "Each on these test points.",
  bands: "One curve, on these test points.",
  populations: "One classifier, each time on other people.",
  samples: "Each on rows of its own.",
  folds: "Each on the points that its classifier has not seen.",
  horizons: "One classifier, an event by one time.",
};

/** The elements of the page that callouts explain, in this order. */
export const CALLOUTS = ["curve", "band", "alpha", "threshold", "residuals"] as const;

export function calloutsOf(
  picture: Picture,
  target: string,
): Record<(typeof CALLOUTS)[number], [string, string]> {
  const { group, shown, evaluation, frame } = picture;
  const isOverview = shown === null && group.kind !== "single";
  return {
    curve: [
      "Curve",
      isOverview
        ? OVERVIEW[group.kind]
        : "This classifier on these test points. Each point of the curve is one threshold.",
    ],
    band: ["Band", `Limits for ${target}.`],
    alpha: ["Confidence", "How often the limits hold. More of it, a wider band."],
    threshold: [
      "Threshold",
      `A score from here on is called ${isOverview ? "positive" : evaluation.classes[1]}. It moves the point on the curve.`,
    ],
    residuals: [
      "Residuals",
      `How far the classifier is off at each calibration point, in log-odds. ${
        frame.orderStatistics
          ? `The handles mark the outer ${percent(frame.alpha)}, which set the band’s width.`
          : "The wider they spread, the wider the band."
      }`,
    ],
  };
}
