// Returns the comparators (bands for this classifier's curve in the population) as they are drawn at one alpha.

import { significance } from "../base/format.ts";
import { nearestInRatio } from "../base/nearest.ts";
import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { ofEveryLook, withConfidence } from "../evaluation/guarantee.ts";
import { curveAtAnyLook } from "../evaluation/looks.ts";
import { heightAt } from "../evaluation/observed_curve.ts";
import type { Promised } from "../evaluation/types.ts";
import type { Comparator, Lines } from "../wire/decode_comparators.ts";
import { isAnyLook, isBeforeLooks } from "./looks.ts";
import type { Picture } from "./picture.ts";

/**
 * If the truth is known, this is the key of the comparator that draws the ideal model's true curve. The conformal band
 * is an interval for that curve.
 */
export const TRUTH = "truth";

/** Whether comparators are on the plot. They are shown only for a single evaluation. */
export const isCompared = ({ shown, evaluation, comparators }: Picture) =>
  shown !== null &&
  comparators.items.length > 0 &&
  JSON.stringify(evaluation.key) === JSON.stringify(comparators.entry);

/** A comparator with its lines at the current alpha or, if there are none, at the nearest alpha. */
export interface DrawnComparator {
  item: Comparator;
  lines: Lines;
  /** Whether the lines are for another alpha than the current one. If so, the page names that alpha. */
  isOther: boolean;
}

/** Returns the comparators with lines to draw, in the order in which the user named them. */
export function drawnComparators(picture: Picture): DrawnComparator[] {
  if (!isCompared(picture)) return [];
  const { items } = picture.comparators;
  return items.flatMap((item) => {
    const { alpha } = picture.frame;
    const alphas = item.lines.map((lines) => lines.alpha);
    const lines = item.lines[nearestInRatio(alphas, alpha)];
    return lines ? [{ item, lines, isOther: item.key !== TRUTH && lines.alpha !== alpha }] : [];
  });
}

/** Returns the comparators that are drawn over the conformal band. */
export const laidComparators = (picture: Picture) =>
  drawnComparators(picture).filter(({ item }) => item.isLaid);

/**
 * Returns the band for this classifier's curve in the population. It is the band of the chosen comparator or,
 * if none is chosen, of the first one. Undefined if no band has arrived yet, or if there are too few rows for
 * limits at every look.
 */
export function samplingBand(picture: Picture): DrawnComparator | undefined {
  if (isBeforeLooks(picture)) return undefined;
  if (isAnyLook(picture)) return bandAtAnyLook(picture);
  const sampling = drawnComparators(picture).filter(({ item }) => item.key !== TRUTH);
  return sampling.find(({ item }) => item.key === picture.page.sampling) ?? sampling[0];
}

/** Returns the band that holds at every look. The page computes it, because it needs no resampling. */
function bandAtAnyLook({ evaluation, frame: { alpha } }: Picture): DrawnComparator {
  const { fpr, ...limits } = curveAtAnyLook(evaluation, alpha);
  const lines = { alpha, ...limits };
  const made = { isLaid: false, status: "done", done: 1, total: 1, message: null } as const;
  const item: Comparator = {
    ...{ ...made, ...ofEveryLook(alpha), key: "looks", name: words("band.looks"), notes: [] },
    ...{ alpha, fpr, lines: [lines] },
  };
  return { item, lines, isOther: false };
}

/** If the band "sampling" is chosen, returns the band for this classifier's curve in the population. */
export const sampledBy = (picture: Picture) =>
  picture.band === "sampling" ? samplingBand(picture) : undefined;

/** Returns the limits of the true positive rate at a false positive rate. */
export function limitsAt({ item: { fpr }, lines }: DrawnComparator, at: number): Pair<number> {
  return [heightAt({ x: fpr, y: lines.lower }, at), heightAt({ x: fpr, y: lines.upper }, at)];
}

/** Returns the guarantee and the notes for the drawn lines. A note on another alpha names that alpha. */
export function statementAt(item: Comparator, { alpha }: Lines): { words: Promised; notes: string[] } {
  const ofItsAlpha = (text: string) =>
    alpha === item.alpha ? text : `At α = ${significance(item.alpha)}: ${text}`;
  return { words: withConfidence<Promised>(item, alpha), notes: item.notes.map(ofItsAlpha) };
}
