// Writes the verdict on the goal at this threshold, the threshold that keeps the goal, and the cost of moving there.

import { capital, fixed, percent, shareDown, shareNumber } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import type { GoalVerdict } from "../evaluation/goal.ts";
import type { GoalRate } from "../evaluation/types.ts";
import { goalOf, isUnlimited, verdictOnGoal } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { ownerWords } from "./answer.ts";
import { METHODS, type Method } from "./methods.ts";
import { rowsOf } from "./rows.ts";

/** The threshold that keeps the goal (`at`, shown as a button), and the words before and after the button. */
export interface GoalWords {
  before: string;
  at: { text: string; threshold: number } | null;
  after: string;
}

const VERBS: Record<GoalRate, string> = {
  sensitivity: words("goal.finds"),
  specificity: words("goal.clears"),
  precision: words("goal.is_right_in"),
  npv: words("goal.rightly_clears"),
  accuracy: words("goal.rightly_judges"),
};

const said = (before: string): GoalWords => ({ before, at: null, after: "" });

export function goalWords(picture: Picture): GoalWords {
  const said = verdictWords(picture);
  return said.before === "" ? said : { ...said, before: ownerWords(picture) + said.before };
}

function verdictWords(picture: Picture): GoalWords {
  const goal = goalOf(picture);
  // If the band is "none" (see `isUnlimited`), or if several evaluations are shown together, there is no
  // verdict.
  if (goal === null || picture.shown === null || isUnlimited(picture)) return said("");
  const verdict = verdictOnGoal(picture);
  if (picture.evaluation.unlabelled) return said(words("goal.unlabelled"));
  if (isAnyLook(picture)) return said(words("goal.looks"));
  if (verdict === null) return said(words("goal.weighted", { rows: capital(picture.noun) }));
  const { found, n } = verdict;
  if (found === null) {
    const most = verdict.most();
    const rows = rowsOfRate(picture, verdict.rows === "rows" ? "accuracy" : goal.rate);
    return said(words(most >= 0.01 ? "goal.none" : "goal.nothing", { n, rows, most: shareDown(most) }));
  }
  const rows = rowsOfRate(picture, goal.rate);
  const sure = words("say.sure", { level: 1 - picture.frame.alpha });
  const how = words("goal.how", { sure, noun: picture.noun, method: goalMethod(goal.rate).text });
  if (verdict.verdict === "kept")
    return said(words("goal.does", { how }) + priceWords(picture, verdict, "here"));
  const { threshold } = found;
  const values = { does: VERBS[goal.rate], how, observed: found.value ?? 0, least: goal.least, rows };
  return {
    before: `${notShown(verdict, goal.least)} `,
    at: { text: words("goal.at", { threshold }), threshold },
    after: words("goal.it_is", values) + priceWords(picture, verdict, "there"),
  };
}

/** Writes why the current threshold is not enough for the goal. */
function notShown({ verdict, here, limits }: GoalVerdict, least: number): string {
  const { threshold } = here;
  if (limits === null) return words("goal.not_at", { threshold });
  const isPicked = limits[0] >= least;
  const key = verdict === "missed" ? "goal.missed_at" : isPicked ? "goal.not_picked" : "goal.not_shown";
  return words(key, { threshold, limits: limitsBeside(limits, least), least });
}

/** Writes limits. A limit below the goal is never rounded up to the goal. */
export const limitsBeside = (limits: Pair<number>, least: number) =>
  `${limits.map((limit) => below(limit, least)).join(" to ")} %`;

function below(limit: number, least: number): string {
  const text = shareNumber(limit);
  return limit < least && Number(text) / 100 >= least ? fixed(Math.floor(1000 * limit) / 10, 1) : text;
}

/**
 * Writes the cost of a goal: the number of false positives or misses at the threshold that keeps the goal,
 * and at the current threshold.
 */
function priceWords(picture: Picture, { price }: GoalVerdict, where: "here" | "there"): string {
  if (price === null) return "";
  const cost = words(price.what === "fp" ? "goal.false_alarms" : "goal.missed", { n: price[where] });
  const isSame = where === "here" || price.there === price.here;
  const label = price.what === "fp" ? 0 : 1;
  return ` ${words("goal.price", {
    price: isSame ? cost : words("goal.instead", { price: cost, before: price.here }),
    n: picture.evaluation.nTest[label],
    rows: rowsOf(picture, label),
  })}`;
}

/** Returns the method that finds a goal's threshold. For a rate of one label it is a one-sided tolerance limit. */
export const goalMethod = (rate: GoalRate): Method =>
  rate === "sensitivity" || rate === "specificity" ? METHODS.tolerance : METHODS.sequence;

/** Writes the denominator of a rate: positives, negatives, rows predicted positive or negative, or all rows. */
function rowsOfRate(picture: Picture, rate: GoalRate): string {
  if (rate === "sensitivity" || rate === "specificity")
    return rowsOf(picture, rate === "sensitivity" ? 1 : 0);
  const { noun } = picture;
  return words(rate === "precision" ? "goal.called" : rate === "npv" ? "goal.not_called" : "goal.all", {
    noun,
  });
}

/** Writes the limit of the rate at the goal's threshold, such as "at least 90 %". */
export const goalLimit = (least: number) => words("goal.limit", { least });

/** Returns the verdict on the goal as one text. */
export function goalText(picture: Picture): string {
  const { before, at, after } = goalWords(picture);
  return `${before}${at?.text ?? ""}${after}`;
}

/** Returns the mark above the track at the threshold that keeps the goal. Undefined if there is none. */
export function goalMark(picture: Picture): { at: number; text: string } | undefined {
  const found = verdictOnGoal(picture)?.found;
  return found
    ? { at: found.threshold, text: words("goal.mark", { threshold: found.threshold }) }
    : undefined;
}

export const goalLine = (least: number) => words("goal.line", { least });

/** Writes the goal's smallest accepted value in percent, without the percent sign. */
export const goalPercent = (least: number) => percent(least).replace(" %", "");
