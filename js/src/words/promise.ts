// What the limits promise: in one line with its scope, and in full.

import type { Words } from "../evaluation/types.ts";
import type { Picture } from "../sync/view_model.ts";
import { reach } from "./one_evaluation.ts";

export type Legend = Words & { reach: string };

export const NOTHING: Legend = { target: "", scope: "", guarantee: "", reach: "" };

/** Guarantee of a range that both intervals allow. */
export const FROM_BOTH = "none (computed from both limits together)";

/** The other model with its article, where the words name whose curve it could be. */
export const modelWords = ({ frame }: Picture) =>
  frame.model.endsWith("recalibration") ? "an ideal recalibration of this score" : "an ideal model";

/** The words with how far the points reach beyond what the limits lean on. */
export const withReach = ({ evaluation, frame }: Picture, { target, scope, guarantee }: Words): Legend => ({
  target,
  scope,
  guarantee,
  reach: reach(evaluation, frame),
});

/** At the slider of the confidence, with limits at every threshold at once. */
export const BEFORE_LOOKING =
  "Choose the confidence before looking: one that is picked afterwards is not covered, and the band hardly narrows.";

/** The promise in one line: how surely, where, and if what. */
export interface PromiseLine {
  before: string;
  scope: string;
  after: string;
}

const SCOPES: readonly [RegExp, string][] = [
  [/every score/, "every score at once"],
  [/every threshold/, "any threshold I pick"],
  [/threshold drawn at random/, "a threshold picked blindly"],
  [/whole curve at once/, "the whole curve"],
];

/** Assumptions that the full text words for those who know the method. */
const PLAINLY: readonly [RegExp, string][] = [
  [/if the reference π̃.* close to .*$/, "if the reference is close to the truth"],
  [/if logit (π|P\(.*?\)) is smooth.*$/, "if the true log-odds are smooth"],
  [/if π can be learned .*$/, "if the truth can be learned from the features"],
  [/; none for a finite one$/, ", if more data come from the same source"],
  [/, drawn alike: .*$/, ", drawn alike"],
];

export function promiseLine(
  picture: Picture,
  { scope, guarantee }: Pick<Words, "scope" | "guarantee">,
): PromiseLine {
  if (guarantee === "") return { before: "", scope: "", after: "" };
  if (picture.band === "ideal" && picture.view === "roc") {
    const level = guarantee.split(" on average")[0];
    return {
      before: `${level} credible for`,
      scope: "one false positive rate",
      after: "if the reference’s prior holds.",
    };
  }
  if (/\bnone\b/.test(guarantee) && !/^[^:]*none for a finite/.test(guarantee)) {
    const what = picture.view === "precision_recall" ? "recall as on the ROC curve; precision none" : "none";
    const why = /computed from both/.test(guarantee) ? ": computed from both limits together." : ".";
    return { before: what + why, scope: "", after: "" };
  }
  const short = PLAINLY.reduce((text, [found, plainly]) => text.replace(found, plainly), guarantee);
  const [, , level = "", rest = ""] =
    /^(.*?)((?:at least )?[\d.]+\s?%(?: on average)?),? *(.*)$/.exec(short) ?? [];
  const isSampling = picture.band === "sampling" && picture.view === "roc";
  const isAbout = isSampling && !level.startsWith("at least");
  return {
    before: `${isAbout ? "about " : ""}${level} for`,
    scope: scopeText(scope, isSampling),
    after: `${rest}${picture.shown === null ? `, of each ${picture.group.folds ? "fold" : "class"}` : ""}.`,
  };
}

export function scopeText(scope: string, isSampling: boolean): string {
  const found = SCOPES.find(([pattern]) => pattern.test(scope))?.[1];
  return found ?? (isSampling ? "one point of the curve" : scope.split(":")[0]);
}
