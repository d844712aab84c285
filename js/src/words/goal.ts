// The verdict on the goal in words: at this threshold, at the one that keeps it, and at which price.

import { capital, fixed, percent, shareDown, shareNumber } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import type { GoalVerdict } from "../evaluation/goal.ts";
import type { GoalRate } from "../evaluation/types.ts";
import { goalOf, verdictOnGoal } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { rowsOf } from "./rows.ts";

/** The words before the threshold that keeps the goal, that threshold (a button), and the words after it. */
export interface GoalWords {
  before: string;
  at: { text: string; threshold: number } | null;
  after: string;
}

const said = (before: string): GoalWords => ({ before, at: null, after: "" });

export function goalWords(picture: Picture): GoalWords {
  const goal = goalOf(picture);
  // A curve to guess from has no verdict, nor have several together.
  const isBare = picture.view === "roc" && picture.band === "none";
  if (goal === null || picture.shown === null || isBare) return said("");
  const verdict = verdictOnGoal(picture);
  if (picture.evaluation.unlabelled) return said(words("goal.unlabelled"));
  if (isAnyLook(picture)) return said(words("goal.looks"));
  if (verdict === null) return said(words("goal.weighted", { rows: capital(picture.noun) }));
  const { found, n } = verdict;
  const rows = rowsOfRate(picture, goal.rate);
  if (found === null) {
    const most = shareDown(verdict.most);
    return said(words(verdict.most >= 0.01 ? "goal.none" : "goal.nothing", { n, rows, most }));
  }
  const sure = words("say.sure", { level: 1 - picture.frame.alpha });
  if (verdict.verdict === "kept")
    return said(words("goal.does", { sure, noun: picture.noun }) + priceWords(verdict, "here"));
  const { threshold } = found;
  const values = { observed: found.value ?? 0, least: goal.least, rows, sure, noun: picture.noun };
  return {
    before: `${notShown(verdict, goal.least)} `,
    at: { text: words("goal.at", { threshold }), threshold },
    after: words("goal.it_is", values) + priceWords(verdict, "there"),
  };
}

/** Why the threshold that is set is not enough. */
function notShown({ verdict, here, limits }: GoalVerdict, least: number): string {
  const { threshold } = here;
  if (limits === null) return words("goal.not_at", { threshold });
  const isPicked = limits[0] >= least;
  const key = verdict === "missed" ? "goal.missed_at" : isPicked ? "goal.not_picked" : "goal.not_shown";
  return words(key, { threshold, limits: limitsBeside(limits, least), least });
}

/** An interval in words. If a limit is below the goal, rounding never makes it look as if it reached the goal. */
export const limitsBeside = (limits: Pair<number>, least: number) =>
  `${limits.map((limit) => below(limit, least)).join(" to ")} %`;

function below(limit: number, least: number): string {
  const text = shareNumber(limit);
  return limit < least && Number(text) / 100 >= least ? fixed(Math.floor(1000 * limit) / 10, 1) : text;
}

/** The price of the goal's threshold in words: wrong calls of the other kind, there and at the threshold that is set. */
function priceWords({ price }: GoalVerdict, where: "here" | "there"): string {
  if (price === null) return "";
  const cost = words(price.what === "fp" ? "goal.false_alarms" : "goal.missed", { n: price[where] });
  const isSame = where === "here" || price.there === price.here;
  return ` ${words("goal.price", { price: isSame ? cost : words("goal.instead", { price: cost, before: price.here }) })}`;
}

/** The rows that a rate is a share of: positives, negatives, called or all. */
function rowsOfRate(picture: Picture, rate: GoalRate): string {
  if (rate === "sensitivity" || rate === "specificity")
    return rowsOf(picture, rate === "sensitivity" ? 1 : 0);
  const { noun } = picture;
  return words(rate === "precision" ? "goal.called" : rate === "npv" ? "goal.not_called" : "goal.all", {
    noun,
  });
}

/** The limit that the goal's own threshold has. */
export const goalLimit = (least: number) => words("goal.limit", { least });

/** The goal with its verdict as one text. */
export function goalText(picture: Picture): string {
  const { before, at, after } = goalWords(picture);
  return `${before}${at?.text ?? ""}${after}`;
}

/** The mark above the threshold's track, where a threshold keeps the goal. */
export function goalMark(picture: Picture): { at: number; text: string } | undefined {
  const found = verdictOnGoal(picture)?.found;
  return found
    ? { at: found.threshold, text: words("goal.mark", { threshold: found.threshold }) }
    : undefined;
}

export const goalLine = (least: number) => words("goal.line", { least });

/** The least in percent, without its sign. */
export const goalPercent = (least: number) => percent(least).replace(" %", "");
