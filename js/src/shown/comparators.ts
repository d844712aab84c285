// The comparators at one alpha.

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

/** The key of the ideal model itself, where the truth is known: it answers the conformal band's question. */
export const TRUTH = "truth";

/** Whether comparators are on the plot: they belong to one entry. */
export const isCompared = ({ shown, evaluation, comparators }: Picture) =>
  shown !== null &&
  comparators.items.length > 0 &&
  JSON.stringify(evaluation.key) === JSON.stringify(comparators.entry);

/** A comparator with its lines for the alpha that is drawn, or for the nearest one known. */
export interface DrawnComparator {
  item: Comparator;
  lines: Lines;
  /** Whether the lines are of another alpha than the one set, as the page then says. */
  isOther: boolean;
}

/** The comparators with lines, in the order of the items. */
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

/** The comparators that lie over the conformal band. */
export const laidComparators = (picture: Picture) =>
  drawnComparators(picture).filter(({ item }) => item.isLaid);

/** The band of this classifier in all rows like these: the one chosen, else the first; missing if none has come. */
export function samplingBand(picture: Picture): DrawnComparator | undefined {
  if (isBeforeLooks(picture)) return undefined;
  if (isAnyLook(picture)) return bandAtAnyLook(picture);
  const sampling = drawnComparators(picture).filter(({ item }) => item.key !== TRUTH);
  return sampling.find(({ item }) => item.key === picture.page.sampling) ?? sampling[0];
}

/** The band that holds at every look, which needs no redraws: the page makes it. */
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

/** The same where it is what is asked for. */
export const sampledBy = (picture: Picture) =>
  picture.band === "sampling" ? samplingBand(picture) : undefined;

/** Limits of the true positive rate at a false positive rate. */
export function limitsAt({ item: { fpr }, lines }: DrawnComparator, at: number): Pair<number> {
  return [heightAt({ x: fpr, y: lines.lower }, at), heightAt({ x: fpr, y: lines.upper }, at)];
}

/** The promise and the notes for the lines that are drawn; notes about another alpha name it. */
export function statementAt(item: Comparator, { alpha }: Lines): { words: Promised; notes: string[] } {
  const ofItsAlpha = (text: string) =>
    alpha === item.alpha ? text : `At α = ${significance(item.alpha)}: ${text}`;
  return { words: withConfidence<Promised>(item, alpha), notes: item.notes.map(ofItsAlpha) };
}
