// A threshold that keeps a rate in the population: its mark on the track, and what it promises.

import { count, percent, rate as rateText, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { mostPromised, populationThreshold, wishSpread } from "../evaluation/population_threshold.ts";
import type { RuledThreshold } from "../evaluation/threshold_rules.ts";
import type { Evaluation, PopulationWish } from "../evaluation/types.ts";
import type { Picture } from "../shown/picture.ts";
import { redrawsOf } from "../shown/sampled_area.ts";
import type { PickedMark } from "./promise.ts";

/** A threshold this near to the mark is the mark: sliders round. */
const ON_THE_MARK = 1e-9;

/** What was wished for, at this confidence, and the threshold that keeps it; null where none can promise it. */
export interface Kept {
  wish: PopulationWish;
  alpha: number;
  found: RuledThreshold | null;
}

/** The mark of a picture; null where nothing was wished for, or rows do not count alike. */
export function keptOf({ evaluation, frame, page }: Picture): Kept | null {
  if (page.wish === "" || evaluation.weighted) return null;
  const wish = { rate: page.wish, least: page.least };
  return { wish, alpha: frame.alpha, found: populationThreshold(evaluation, wish, frame.alpha) };
}

/** Where Youden's threshold would mostly be with the rows drawn again, or the one wished for; null where nobody knows. */
export function mostlyOf(picture: Picture): Pair<number> | null {
  const { evaluation, frame, page, view, band } = picture;
  if (view !== "roc" || band !== "sampling") return null;
  if (page.wish === "" || evaluation.weighted) return redrawsOf(picture)?.mostly ?? null;
  return wishSpread(evaluation, { rate: page.wish, least: page.least }, frame.alpha);
}

/** What would mostly fall there, as the end of a sentence. */
export const mostlyText = ({ page, evaluation }: Picture, [from, to]: Pair<number>) =>
  `drawn again, ${page.wish === "" || evaluation.weighted ? "Youden’s threshold" : "the blue mark"} would mostly fall ` +
  `between ${roughly(from)} and ${roughly(to)}`;

/** Two decimals do for what falls "mostly" there, but next to 0 and 1. */
const roughly = (threshold: number) =>
  Math.min(threshold, 1 - threshold) < 0.05 ? thresholdText(threshold) : rateText(threshold);

const placeText = (alpha: number) => `population, ${percent(1 - alpha)} sure`;
export const sureText = (alpha: number) => `in the ${placeText(alpha)}`;

export const wishText = ({ rate, least }: PopulationWish) => `${rate} at least ${rateText(least)}`;

/** The mark in two lines. */
export const markLines = ({ wish, alpha }: Kept) => `${wishText(wish)} in\nthe ${placeText(alpha)}`;

/** The mark in words. */
export const markText = ({ wish, alpha }: Kept) => `${wishText(wish)} ${sureText(alpha)}`;

/** The promise of the mark, or why there is none, in a sentence. */
export function keptText({ wish, alpha, found }: Kept, evaluation: Evaluation): string {
  if (found === null) return noneText(evaluation, wish, alpha);
  const rows = count(evaluation.nRows[0] + evaluation.nRows[1]);
  return (
    `Blue mark, ${thresholdText(found.threshold)}: ${percent(1 - alpha)} sure with any number of rows, ` +
    `if more data come from the same source; these ${rows} points were looked at.`
  );
}

/** The line below the promise where there is a wish: it is said while the threshold stands on the mark, or none is. */
export function keptLine(picture: Picture): (PickedMark & { isSaid: boolean }) | null {
  const kept = keptOf(picture);
  if (kept === null) return null;
  const { found, alpha } = kept;
  const isSaid = found === null || Math.abs(found.threshold - picture.wanted.threshold) <= ON_THE_MARK;
  const text = keptText(kept, picture.evaluation);
  const short = found === null ? text : `Blue mark: kept in the population, ${percent(1 - alpha)} sure.`;
  return { text, short, remedy: "", after: "", press: null, isSaid };
}

/** Why no threshold promises a wish. */
export function noneText(evaluation: Evaluation, { rate }: PopulationWish, alpha: number): string {
  const { most, n } = mostPromised(evaluation, rate, alpha);
  const rows = rate === "sensitivity" ? "positives" : "negatives";
  return `None: with ${count(n)} ${rows} no threshold can promise more than ${rateText(most)}.`;
}
