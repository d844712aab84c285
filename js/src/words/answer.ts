// The answer in two lines: the number, with the same words for every alpha and threshold, and what it means.

import { count, percent, rate, shortName, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { horizonText } from "../evaluation/horizons.ts";
import type { Picture } from "../shown/picture.ts";
import { modelName } from "./promise.ts";
import { plain, type Run, strong, type Tone } from "./runs.ts";

export interface Answer {
  lead: Run[];
  meaning: Run[];
}

const NO_GUARANTEE = "No guarantee: computed from both limits together.";
const EVERYWHERE = "It holds at every threshold at once.";

export const between = ([lower, upper]: Pair<number>, tone: Tone, text = rate) =>
  strong(`between ${text(lower)} and ${text(upper)}`, tone);

/** What holds of a range that both labels' limits allow. */
export const joined = ({ frame }: Picture) => plain(isForEveryThreshold(frame) ? EVERYWHERE : NO_GUARANTEE);

/** A figure at the threshold, and the range of the other model's. */
export const rangeLead = (
  picture: Picture,
  noun: string,
  value: string,
  limits: Pair<number>,
  text = rate,
): Run[] => [
  plain(`${atThreshold(picture)}${noun} is `),
  strong(value),
  plain(`; ${modelName(picture)}’s could lie `),
  between(limits, "ink", text),
  plain(` (${percent(1 - picture.frame.alpha)} each).`),
];

/** In a line of the answer: its numbers are to be seen whole. */
export const nameInLine = (name: string) => shortName(name, 20);

export function atThreshold({ evaluation: { followed }, frame }: Picture): string {
  const at = `threshold ${thresholdText(frame.threshold)}, `;
  return followed === null ? `At ${at}` : `By ${horizonText(followed)}, at ${at}`;
}

/** Who was lost from sight, and who counts in their place; empty where outcomes have no time. */
export function lostWords({ evaluation: { followed } }: Picture): Run[] {
  if (followed === null) return [];
  if (followed.unknown === 0) return [plain("Everyone was followed until then.")];
  const lost = followed.unknown === 1 ? "1 was" : `${count(followed.unknown)} were`;
  return [
    plain(`${lost} lost from sight before then; those still followed count a little more in their place.`),
  ];
}
