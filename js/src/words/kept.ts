// A threshold that keeps a rate in the population: its mark on the track, and what it promises.

import { conditions } from "../../../conformal_roc_widget/promises.json";
import { capital, count, percent, rate as rateText, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { mostPromised, populationThreshold, wishSpread } from "../evaluation/population_threshold.ts";
import type { RuledThreshold } from "../evaluation/threshold_rules.ts";
import type { Evaluation, Group, PopulationWish } from "../evaluation/types.ts";
import type { Picture } from "../shown/picture.ts";
import { isSampled, redrawsOf } from "../shown/sampled_area.ts";
import { nameInLine } from "./answer.ts";
import type { PickedMark } from "./promise.ts";
import { nameAmong } from "./several_evaluations.ts";

/** A threshold this near to the mark stands on it, since sliders round. */
const ON_THE_MARK = 1e-9;

/** What was wished for, at this confidence, and the threshold that keeps it; null where none can promise it. */
export interface Kept {
  wish: PopulationWish;
  alpha: number;
  found: RuledThreshold | null;
}

/** The mark of a picture; null where nothing was wished for, or rows do not count alike. */
export const keptOf = (picture: Picture) => keptIn(picture, picture.evaluation);

/** The mark of another entry, for the same wish. */
function keptIn({ frame: { alpha }, page }: Picture, entry: Evaluation): Kept | null {
  if (page.wish === "" || entry.weighted) return null;
  const wish = { rate: page.wish, least: page.least };
  return { wish, alpha, found: populationThreshold(entry, wish, alpha) };
}

/** A mark of another population on the track, and what it is; without a place where none can promise the wish. */
export interface OtherMark {
  at: number | null;
  title: string;
}

/** The marks of the other populations, whose scores are of one classifier: each is sure by itself. */
export function otherMarks(picture: Picture): OtherMark[] {
  const { group, evaluation } = picture;
  if (group.kind !== "populations") return [];
  return group.entries.flatMap((entry) => {
    const kept = entry === evaluation ? null : keptIn(picture, entry);
    if (kept === null) return [];
    const at = kept.found?.threshold ?? null;
    const text = at === null ? whyNone(entry, kept.wish, kept.alpha) : `blue mark, ${thresholdText(at)}`;
    return [{ at, title: `${nameAmong(group, entry)}: ${text}` }];
  });
}

const isOn = (found: RuledThreshold, threshold: number) =>
  Math.abs(found.threshold - threshold) <= ON_THE_MARK;

/** What a screen reader says after the threshold: what it keeps, where it stands on the mark. */
export function onMarkText(kept: Kept | null, threshold: number): string {
  return kept?.found && isOn(kept.found, threshold) ? `, ${markText(kept)}` : "";
}

/** The marks on the track, for those who do not see them. */
export function marksText(kept: Kept | null, evaluation: Evaluation, others: OtherMark[]): string {
  if (kept === null) return "";
  const own = kept.found
    ? `${capital(markText(kept))}: blue mark, ${thresholdText(kept.found.threshold)}.`
    : noneText(evaluation, kept.wish, kept.alpha);
  return [own, ...others.map(({ title }) => `${title}.`)].join(" ");
}

/** Where Youden's threshold would mostly be with the rows drawn again, or the one wished for; null where nobody knows. */
export function mostlyOf(picture: Picture): Pair<number> | null {
  const { evaluation, frame, page } = picture;
  if (!isSampled(picture)) return null;
  if (page.wish === "" || evaluation.weighted) return redrawsOf(picture)?.mostly ?? null;
  return wishSpread(evaluation, { rate: page.wish, least: page.least }, frame.alpha);
}

/** What would mostly fall there, as the end of a sentence. */
export const mostlyText = ({ page, evaluation }: Picture, [lower, upper]: Pair<number>) => {
  const isYouden = page.wish === "" || evaluation.weighted;
  const which = isYouden ? words("answer.youdens_threshold") : "the blue mark";
  return words("answer.mostly", { which, lower, upper });
};

const placeText = (alpha: number) => `population, ${percent(1 - alpha)} sure`;
export const sureText = (alpha: number) => `in the ${placeText(alpha)}`;

export const wishText = ({ rate, least }: PopulationWish) => `${rate} at least ${rateText(least)}`;

/** The mark in two lines. */
export const markLines = ({ wish, alpha }: Kept) => `${wishText(wish)} in\nthe ${placeText(alpha)}`;

/** The mark in words. */
export const markText = ({ wish, alpha }: Kept) => `${wishText(wish)} ${sureText(alpha)}`;

/** The promise of the mark, or why there is none, in a sentence. */
export function keptText({ wish, alpha, found }: Kept, picture: Picture, withWish = true): string {
  const { group, evaluation } = picture;
  if (found === null) return noneText(evaluation, wish, alpha);
  const wished = withWish ? `${wishText(wish)}, ` : "";
  return (
    `Blue mark, ${thresholdText(found.threshold)}: ${wished}${percent(1 - alpha)} sure with any number of rows, ` +
    `if ${conditions.same_source.text}; ${lookedAt(group, evaluation)} were looked at.`
  );
}

/** The rows that chose the threshold, in words; if there are several populations, those of one. */
function lookedAt(group: Group, entry: Evaluation): string {
  const points = `these ${count(entry.nRows[0] + entry.nRows[1])} points`;
  return group.kind === "populations" ? `${points} of ${nameInLine(nameAmong(group, entry))}` : points;
}

/** The line below the promise, where there is a wish; shown while the threshold stands on the mark, or no mark exists. */
export function keptLine(picture: Picture): (PickedMark & { isShown: boolean }) | null {
  const kept = keptOf(picture);
  if (kept === null) return null;
  const { found, alpha } = kept;
  const isShown = found === null || isOn(found, picture.wanted.threshold);
  // In the question of more data the wish stands beside the threshold's line.
  const text = keptText(kept, picture, !isSampled(picture));
  const rows = capital(lookedAt(picture.group, picture.evaluation));
  const short = found === null ? text : `Blue mark: ${percent(1 - alpha)} sure. ${rows} were looked at.`;
  return { text, short, remedy: "", after: "", press: null, isShown };
}

/** Why no threshold promises a wish, in a sentence. */
export const noneText = (evaluation: Evaluation, wish: PopulationWish, alpha: number) =>
  `${whyNone(evaluation, wish, alpha)}.`;

/** The same without its full stop. */
function whyNone(evaluation: Evaluation, { rate }: PopulationWish, alpha: number): string {
  const { most, n } = mostPromised(evaluation, rate, alpha);
  const rows = rate === "sensitivity" ? "positives" : "negatives";
  return `None: ${words("kept.none", { n, rows, of: "", most })}`;
}
