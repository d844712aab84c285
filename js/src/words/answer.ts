// The parts of the first screen's sentences: threshold, rows, owner of the limits, confidence.

import { shareLimits, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { horizonText } from "../evaluation/horizons.ts";
import type { Evaluation, Label, PromiseLine } from "../evaluation/types.ts";
import { labelInFront } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { plain, type Run, runs } from "./runs.ts";

/** The sentence, and what stands beside it: a verdict, or what speaks against it. */
export interface Answer {
  lead: Run[];
  meaning: Run[];
}

/** A sentence where scores that are margins or of any size are read as risks; else nothing. */
export const noRisks = ({ margins, anySize }: Evaluation): Run[] =>
  margins ? runs("answer.margins") : anySize ? runs("answer.no_risks") : [];

/** The name, short enough for a sentence, whose numbers must be seen whole. */
export const nameInLine = (name: string) => shortName(name, 20);

/** "At threshold 0.50 ", with the time where outcomes have one. */
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

/** The confidence; and the scope, if the reader has picked a threshold that the promise is not for. */
export function sureWords(picture: Picture, chosen: PromiseLine["chosen"]): string {
  const sure = words(picture.picked ? SURE[chosen] : "say.sure", { level: 1 - picture.frame.alpha });
  return picture.band === "sampling" && isAnyLook(picture) ? words("say.at_looks", { sure }) : sure;
}

/** How surely the true risks' limits hold at this threshold. */
export const trueSureWords = ({ frame }: Picture, key: "say.sure" | "say.sure_each" = "say.sure") =>
  frame.kind === "none" ? words("say.no_level") : words(key, { level: 1 - frame.alpha });

/** What the first sentence of a rate names. */
export const given = (picture: Picture) => ({
  at: atThreshold(picture),
  here: `${atThreshold(picture).trimEnd()}, `,
  model: modelWords(picture),
  weighed: picture.evaluation.called ? words("say.weighed") : "",
  noun: picture.noun,
});

/** The model whose limits the second question has: the true risks of the rows, or those behind each score. */
export const modelWords = ({ frame }: Pick<Picture, "frame">) =>
  words(frame.model === "recalibration" ? "model.score_risks" : "model.true_risks");

/** Limits of a rate in words, in the order of its label. */
export const limitsWords = ([lower, upper]: Pair<number>, sides: Pair<boolean> = [true, true]) =>
  shareLimits(lower, upper, sides);

/** The keys of a sentence on a rate, by label. */
export const byLabel = <Key>(label: Label, [zeros, ones]: readonly [Key, Key]) =>
  label === 1 ? ones : zeros;

/** The label whose rate the question is on: that of its band, or of the goal. */
export function labelAsked({ band, goal }: Pick<Picture, "band" | "goal">): Label {
  if (band === "sensitivity") return 1;
  return band === "specificity" ? 0 : labelInFront({ goal });
}

export const sentence = (text: string): Run[] => (text === "" ? [] : [plain(text)]);
