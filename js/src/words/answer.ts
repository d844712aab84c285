// The answer in two lines: the number, with the same words for every alpha and threshold, and what it means.

import { rate, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import type { Picture } from "../sync/view_model.ts";
import { type Run, strong, type Tone } from "./runs.ts";

export interface Answer {
  lead: Run[];
  meaning: Run[];
}

export const NO_GUARANTEE = "No guarantee: computed from both limits together.";
export const EVERYWHERE = "It holds at every threshold at once.";

export const between = ([lower, upper]: Pair<number>, tone: Tone, text = rate) =>
  strong(`between ${text(lower)} and ${text(upper)}`, tone);

export const atThreshold = ({ frame }: Picture) => `At threshold ${thresholdText(frame.threshold)}, `;
