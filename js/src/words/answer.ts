// The answer in two lines: the number, with the same words for every alpha and threshold, and what it means.

import { rate, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { horizonText } from "../evaluation/horizons.ts";
import type { Evaluation, Followed } from "../evaluation/types.ts";
import { jointSides } from "../evaluation/vacuous.ts";
import type { Picture } from "../shown/picture.ts";
import { modelName } from "./promise.ts";
import { plain, type Run, runs, strong, type Tone } from "./runs.ts";

export interface Answer {
  lead: Run[];
  meaning: Run[];
}

export const between = ([lower, upper]: Pair<number>, tone: Tone, text = rate) =>
  strong(`between ${text(lower)} and ${text(upper)}`, tone);

/** A space and a sentence, where scores that are margins or of any size are read as risks; else nothing. */
export function noRisks({ margins, anySize }: Evaluation): Run[] {
  if (!margins && !anySize) return [];
  return [plain(" "), ...runs(margins ? "answer.margins" : "answer.no_risks")];
}

/** What holds of a range that both labels' limits allow. */
export const holdsWords = ({ frame }: Picture) =>
  runs(isForEveryThreshold(frame) ? "answer.holds_everywhere" : "answer.no_guarantee");

/** Where another model's figure of both labels could lie, if anything bounds it. */
export function couldLie(picture: Picture, limits: Pair<number>, text: (value: number) => string): Run[] {
  const [lower, upper] = limits.map(text);
  const isBounded = jointSides(picture.frame).some(Boolean);
  return runs(isBounded ? "answer.could" : "answer.could_without", { ...given(picture), lower, upper });
}

/** What every answer may name: where, whose limits, at which level. */
export const given = (picture: Picture) => ({
  start: atThreshold(picture),
  model: modelName(picture),
  level: 1 - picture.frame.alpha,
});

/** The name, short enough for a line of the answer, whose numbers must be seen whole. */
export const nameInLine = (name: string) => shortName(name, 20);

export function atThreshold({ evaluation: { followed }, frame }: Picture): string {
  const { threshold } = frame;
  if (followed === null) return words("answer.at_threshold", { threshold });
  return words("answer.by_at_threshold", { time: horizonText(followed), threshold });
}

/** Who was lost from sight, and who counts in their place; empty where outcomes have no time. */
export const lostWords = ({ unknown }: Followed): Run[] =>
  unknown === 0 ? runs("answer.none_lost") : runs("answer.lost", { n: unknown });
