// What the limits promise, where the page says it of another figure than the rates; its twin is promise.py.

import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import type { ModelKey, Promised, PromiseLine, Words } from "../evaluation/types.ts";
import type { Picture } from "../shown/picture.ts";
import { reach } from "./one_evaluation.ts";

export type Legend = Words & { reach: string };

const NO_LINE: PromiseLine = { level: "", scope: "", after: "", dense: "", rest: "", chosen: "any" };
export const NOTHING: Legend = { target: "", scope: "", guarantee: "", line: NO_LINE, reach: "" };

/** Whose curve the limits are for: its name, the name with what it is made from, and before a noun. */
export const MODEL_WORDS: Record<ModelKey, { name: string; full: string; short: string }> = {
  ideal_model: { name: "an ideal model", full: "an ideal model", short: "ideal" },
  recalibration: {
    name: "an ideal recalibration",
    full: "an ideal recalibration of this score",
    short: "ideal",
  },
  classifier: { name: "this classifier", full: "this classifier", short: "this" },
};

export const modelName = ({ frame }: Picture) => MODEL_WORDS[frame.model].name;

/** The words with how far the points reach beyond what the limits rest on. */
export const withReach = ({ evaluation, frame }: Picture, words: Words): Legend => ({
  target: words.target,
  scope: words.scope,
  guarantee: words.guarantee,
  line: words.line,
  reach: reach(evaluation, frame),
});

/** At the slider of the confidence, with limits at every threshold at once. */
export const BEFORE_LOOKING =
  "Choose the confidence before looking: one that is picked afterwards is not covered, and the band hardly narrows.";

/** A line as one sentence. */
export const sentenceOf = ({ level, scope, after, rest }: PromiseLine) =>
  scope === "" ? `${level}.` : `${level} for ${scope}${after}${rest}.`;

/** Words in full, and as short as a line has room for. */
interface Phrase {
  text: string;
  short: string;
}

const FROM_BOTH = "none (computed from both limits together)";
const NO_WORDS: Phrase = { text: "", short: "" };
type Around = readonly [head: Phrase, tail: Phrase];

/** Said around the guarantee of the rates, where precision has none, and where a figure of both labels has none. */
export const PRECISION_HAS_NONE: Around = [
  { text: "recall: ", short: "recall alone: " },
  { text: `; precision: ${FROM_BOTH}`, short: "" },
];
export const FIGURE_HAS_NONE: Around = [
  { text: `${FROM_BOTH}; each label's interval: `, short: "each label alone: " },
  NO_WORDS,
];

function around<Said extends Words>(words: Said, [head, tail]: Around): Said {
  const { level, rest } = words.line;
  const line =
    words.line.scope === ""
      ? { ...words.line, level: `${head.short}${level}${tail.short}` }
      : { ...words.line, level: `${head.short}${level}`, rest: `${rest}${tail.short}` };
  return { ...words, guarantee: `${head.text}${words.guarantee}${tail.text}`, line };
}

/** Promise of a number computed from the rates of both labels: it holds if all their limits hold together. */
export function ofBothLabels(rates: Promised, noun: string, points: string, less: Around): Words {
  const target = `${noun} of ${MODEL_WORDS[rates.model].full}, cut at the same threshold, on ${points}`;
  return { ...(isForEveryThreshold(rates) ? rates : around(rates, less)), target };
}

/** Promise of each class below their average; names those without limits. */
export function ofEachClass(rates: Words, withoutLimits: string): Words {
  const none = withoutLimits ? ` (without limits, and counted as 0 to 1: ${withoutLimits})` : "";
  const tail = {
    text: `, for each class; the average has none of its own${none}`,
    short: `, for each class; the average has none${none}`,
  };
  return {
    ...around(rates, [NO_WORDS, tail]),
    target: `each class against the rest: ${rates.target}`,
    scope: `${rates.scope}; one class at a time`,
  };
}

/** Promise of each fold below the pooled curve. */
export const ofEachFold = (rates: Words): Words => ({
  ...around(rates, [NO_WORDS, { text: "", short: ", of each fold" }]),
  scope: `${rates.scope}; one fold at a time`,
});

const MONOTONE = "if a higher score never means a lower probability";
/** Promise of the bounds of the probability at each score. */
export const OF_SCORES: Words = {
  target: "P(y = 1 | score), the ideal recalibration of this score",
  scope: "every score at once",
  guarantee: `at least {confidence} for every sample size, ${MONOTONE}`,
  line: {
    level: "at least {confidence}",
    scope: "every score at once",
    after: " for every sample size",
    dense: " for every sample size",
    rest: `, ${MONOTONE}`,
    chosen: "any",
  },
};

/** What is said of a threshold that the reader picks, where the promise is for one that was not. */
export interface PickedMark {
  text: string;
  /** In a line of its own, where there is room for one alone. */
  short: string;
  /** What has to be chosen in Python for another promise, and what it gives. */
  remedy: string;
  after: string;
}

export function pickedMark(
  { source, evaluation }: Picture,
  { chosen }: PromiseLine,
  isOther: boolean,
): PickedMark | null {
  if (chosen === "any") return null;
  const said = { short: "picked: not promised.", remedy: "", after: "" };
  if (chosen === "beforehand") {
    return {
      ...said,
      text: "You picked this threshold on these points: the limits are for one chosen beforehand.",
    };
  }
  const text = "You picked this threshold: not promised for it.";
  if (isOther) return { ...said, text };
  if (source === "static") return { ...said, text, after: "This page holds no promise that is." };
  if (evaluation.remedy === "") return { ...said, text, after: "These data allow no promise that is." };
  return { ...said, text: `${text} With`, remedy: evaluation.remedy, after: "any threshold can be." };
}
