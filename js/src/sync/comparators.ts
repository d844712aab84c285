// Other people's bands in our record, read at one alpha: nothing drawn.

import { percent, significance } from "../base/format.ts";
import { heightAt } from "../evaluation/curve_lines.ts";
import type { Comparator, Lines, Pair } from "../wire/messages.ts";
import type { Tone } from "../words/one_evaluation.ts";
import type { Picture } from "./controller.ts";

/** The key of our own band among those that can be taken off the plot. */
export const CONFORMAL = "conformal";

/** Other bands belong to one entry, and nowhere else. */
export const isCompared = ({ shown, evaluation, comparators }: Picture) =>
  shown !== null &&
  comparators.items.length > 0 &&
  JSON.stringify(evaluation.label) === JSON.stringify(comparators.label);

/** A band that can be drawn, with its look, and the lines for the alpha that is drawn or the nearest one known. */
export interface Overlay {
  item: Comparator;
  tone: Tone;
  lines: Lines;
  /** The lines are of another alpha, which has to be told. */
  isOther: boolean;
}

const TONES: readonly Tone[] = ["other0", "other1", "other2", "other3"];
const OWN: Record<string, Tone> = { bootstrap: "other0", simultaneous: "other1" };

/** Each band keeps its colour and dash, whichever others are there. */
export function toneOf(items: readonly Comparator[], key: string): Tone {
  const others = items.filter((item) => !Object.hasOwn(OWN, item.key)).map((item) => item.key);
  return Object.hasOwn(OWN, key) ? OWN[key] : TONES[2 + (others.indexOf(key) % 2)];
}

/** In the order of the items; those of which nothing is known yet are left out. */
export function overlaysOf(picture: Picture): Overlay[] {
  if (!isCompared(picture)) return [];
  const { items } = picture.comparators;
  return items.flatMap((item) => {
    const lines = linesNear(item, picture.frame.alpha);
    const isOther = lines?.alpha !== picture.frame.alpha;
    return lines ? [{ item, tone: toneOf(items, item.key), lines, isOther }] : [];
  });
}

function linesNear({ lines }: Comparator, alpha: number): Lines | null {
  const away = (of: Lines) => Math.abs(Math.log(of.alpha / alpha));
  return lines.reduce<Lines | null>((best, of) => (best && away(best) <= away(of) ? best : of), null);
}

/** Limits of the true positive rate at a false positive rate. */
export function limitsAt({ item: { fpr }, lines }: Overlay, at: number): Pair<number> {
  return [heightAt({ x: fpr, y: lines.lower }, at), heightAt({ x: fpr, y: lines.upper }, at)];
}

/** Guarantee and notes, as they are for the lines that are drawn. */
export function wordsAt(item: Comparator, { alpha }: Lines): { guarantee: string; notes: string[] } {
  if (alpha === item.alpha) return item;
  return {
    guarantee: item.guarantee.replace(percent(1 - item.alpha), percent(1 - alpha)),
    notes: item.notes.map((note) => `At α = ${significance(item.alpha)}: ${note}`),
  };
}

/** What a scope says first. */
export const briefly = (scope: string) => scope.split(":")[0];
