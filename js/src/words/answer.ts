// The answer in two lines: the number, with the same words for every alpha and threshold, and what it means.

import { count, percent, rate, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import type { Evaluation } from "../evaluation/types.ts";
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

export const testPoints = ({ nTest }: Evaluation) => `${count(nTest[0] + nTest[1])} test points`;
export const atThreshold = ({ frame }: Picture) => `At threshold ${thresholdText(frame.threshold)}, `;
export const levelOf = ({ frame }: Picture) =>
  frame.kind === "none" ? " (no level is promised)." : ` (${percent(1 - frame.alpha)}).`;
