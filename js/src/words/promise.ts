// What the limits promise: in one line with its scope, and in full.

import type { Words } from "../evaluation/types.ts";
import { sampledBy, statementAt } from "../sync/comparators.ts";
import { averageOf } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { idealWords } from "./ideal.ts";
import { reach } from "./one_evaluation.ts";
import { entryName } from "./several_evaluations.ts";
import { viewLegend } from "./views.ts";

export type Legend = Words & { reach: string };
/** At the slider of the confidence, with limits at every threshold at once. */
export const BEFORE_LOOKING =
  "Choose the confidence before looking: one that is picked afterwards is not covered, and the band hardly narrows.";

const NOTHING: Legend = { target: "", scope: "", guarantee: "", reach: "" };

/** Target, scope and guarantee of what is shown, and how far the points reach beyond what it leans on. */
export function legendOf(picture: Picture): Legend {
  const { evaluation, frame, shown, ideal, band } = picture;
  if (picture.view !== "roc")
    return { ...viewLegend(picture, picture.view), reach: reach(evaluation, frame) };
  if (shown === null) return { ...averageLegend(picture), reach: "" };
  if (band === "ideal")
    return ideal === null || typeof ideal === "string" ? NOTHING : { ...idealWords(ideal), reach: "" };
  if (band === "sampling") {
    const sampled = sampledBy(picture);
    if (!sampled) return NOTHING;
    const { item, lines } = sampled;
    return { target: item.target, scope: item.scope, ...statementAt(item, lines), reach: "" };
  }
  const { target, scope, guarantee } = frame;
  return { target, scope, guarantee, reach: reach(evaluation, frame) };
}

function averageLegend(picture: Picture): Words {
  const { group, frame } = picture;
  const { target, scope, guarantee } = frame;
  if (group.kind === "folds") return { target, scope: `${scope}; one fold at a time`, guarantee };
  const { withoutLimits } = averageOf(picture);
  const names = withoutLimits.map((i) => entryName(group, group.entries[i])).join(", ");
  return {
    target: `each class against the rest: ${frame.target}`,
    scope: `${frame.scope}; one class at a time`,
    guarantee: `${frame.guarantee}, for each class; the average has none of its own${
      names ? ` (without limits, and counted as 0 to 1: ${names})` : ""
    }`,
  };
}

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

export function promiseOf(picture: Picture): PromiseLine {
  const { scope, guarantee } = picture.shown === null ? picture.frame : legendOf(picture);
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
