// Writes the parts of the main sentence: the threshold, the rows, the model that the limits are for, and the
// confidence.

import { shareLimits, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { horizonText } from "../evaluation/horizons.ts";
import type { Evaluation, Group, Label, PromiseLine } from "../evaluation/types.ts";
import { labelInFront } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { plain, type Run, runs } from "./runs.ts";
import { entryName } from "./several_evaluations.ts";

/** The main sentence, and the text beside it: a verdict or a warning. */
export interface Answer {
  lead: Run[];
  meaning: Run[];
}

/**
 * If the scores are not risks, because they are margins or outside [0, 1], returns a sentence that warns. Otherwise it
 * is empty.
 */
export const noRisks = ({ margins, anySize }: Evaluation): Run[] =>
  margins ? runs("answer.margins") : anySize ? runs("answer.no_risks") : [];

/** Returns a name, shortened so that the numbers of its sentence stay visible. */
export const nameInLine = (name: string) => shortName(name, 20);

/**
 * Writes whose numbers follow, such as "logistic: ", if several evaluations are compared and one of them is looked at.
 * Empty if the header or the sentence names it.
 */
export function ownerWords({ group, evaluation, shown }: Picture): string {
  if (shown === null || group.entries.length === 1 || NAMED_ELSEWHERE.includes(group.kind)) return "";
  return words("say.of", { name: nameInLine(entryName(group, evaluation)) });
}

const NAMED_ELSEWHERE: readonly Group["kind"][] = ["single", "classes", "folds", "horizons"];

/** Writes "At threshold 0.50 ". If outcomes have a time, the horizon is written too. */
export function atThreshold({ evaluation: { followed }, frame }: Picture): string {
  const { threshold } = frame;
  if (followed === null) return words("say.at", { threshold });
  return words("say.by_at", { time: horizonText(followed), threshold });
}

const SURE = {
  any: "say.sure",
  blindly: "say.sure_blindly",
  beforehand: "say.sure_beforehand",
} as const;

/**
 * Writes the confidence. If the user picked the threshold in a way that the guarantee does not allow, the
 * scope of the guarantee is added. `chosen` tells which ways of choosing a threshold the guarantee allows.
 */
export function sureWords(picture: Picture, chosen: PromiseLine["chosen"]): string {
  const sure = words(picture.picked ? SURE[chosen] : "say.sure", { level: 1 - picture.frame.alpha });
  return picture.band === "sampling" && isAnyLook(picture) ? words("say.at_looks", { sure }) : sure;
}

/** Writes the confidence of the limits for the true risks at this threshold. */
export const trueSureWords = ({ frame }: Picture, key: "say.sure" | "say.sure_each" = "say.sure") =>
  frame.kind === "none" ? words("say.no_level") : words(key, { level: 1 - frame.alpha });

/** Returns the values that the templates of the first sentence on a rate need. */
export const given = (picture: Picture) => ({
  at: atThreshold(picture),
  here: `${atThreshold(picture).trimEnd()}, `,
  model: modelWords(picture),
  risk: words(picture.frame.model === "recalibration" ? "risk.score" : "risk.true"),
  threshold: picture.frame.threshold,
  weighed: picture.evaluation.called ? words("say.weighed") : "",
  noun: picture.noun,
});

/** Writes which model the conformal limits are for: the true risks of the rows, or the risks given each score. */
export const modelWords = ({ frame }: Pick<Picture, "frame">) =>
  words(frame.model === "recalibration" ? "model.score_risks" : "model.true_risks");

/** Writes the limits of a rate. `sides` tells which of the two exist. */
export const limitsWords = ([lower, upper]: Pair<number>, sides: Pair<boolean> = [true, true]) =>
  shareLimits(lower, upper, sides);

/** Returns one of two keys: the first for label 0, or the second for label 1. */
export const byLabel = <Key>(label: Label, [zeros, ones]: readonly [Key, Key]) =>
  label === 1 ? ones : zeros;

/**
 * Returns the label whose rate the sentences are about. If the band shows one label, it is that label. If the
 * band shows both labels, it is the label of the goal.
 */
export function labelAsked({ band, goal }: Pick<Picture, "band" | "goal">): Label {
  if (band === "sensitivity") return 1;
  return band === "specificity" ? 0 : labelInFront({ goal });
}

export const sentence = (text: string): Run[] => (text === "" ? [] : [plain(text)]);
