// The explanations of the page: terms that readers stumble over, and call-outs over the picture.

import { percent } from "../base/format.ts";
import type { Term } from "../base/tooltip.ts";
import type { Picture } from "../sync/view_model.ts";

const METHOD = "Guide: The method,";

const TERMS: readonly [name: RegExp, text: string][] = [
  [
    /residual/i,
    `How far the classifier is off at one calibration point: the log-odds of the reference minus those of its score. ${METHOD} Residuals.`,
  ],
  [
    /reference( π̃)?/,
    "An estimate of the true probabilities from labelled points. The band is as good as it is. " +
      "Guide: Your own data, The reference.",
  ],
  [/ideal model/, `The model that knows the true probability of each point. ${METHOD} Setting.`],
  [
    /pointwise/,
    `The promise is for one point of the curve at a time. The whole curve leaves its band more often. ${METHOD} What is promised.`,
  ],
  [
    // Limits at every threshold at once are no ranks of residuals.
    /at least [\d.]+\s%(?! for every)/,
    `Each limit is one of the residuals, so the level that can be promised goes in steps: the next at or above the confidence. ${METHOD} Intervals.`,
  ],
  [
    /one threshold drawn at random/,
    `A threshold picked without a look at these test points. One picked for its result has no such promise. ${METHOD} What is promised.`,
  ],
  [
    /Guarantee/,
    "To get a useful interval something must be assumed. After “if” stands what is assumed here.",
  ],
];

/** A text in pieces, with the terms in it that are explained, each once. */
export function termsIn(text: string, terms = TERMS): (string | Term)[] {
  for (const [i, [name, explanation]] of terms.entries()) {
    const found = name.exec(text);
    if (!found) continue;
    const end = found.index + found[0].length;
    const others = terms.slice(i + 1);
    return [
      ...termsIn(text.slice(0, found.index), others),
      { name: found[0], text: explanation },
      ...termsIn(text.slice(end), others),
    ];
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
};

/** What is pointed at, in the order of the words. */
export const CALLOUTS = ["curve", "band", "alpha", "threshold", "residuals"] as const;

export function calloutsOf(
  picture: Picture,
  target: string,
): Record<(typeof CALLOUTS)[number], [string, string]> {
  const { group, shown, evaluation } = picture;
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
      `How far the classifier is off at each calibration point, in log-odds. The handles mark the outer ${percent(picture.frame.alpha)}, which set the band’s width.`,
    ],
  };
}
