// What the limits promise, where the page says it of another figure than the rates; its twin is promise.py.

import { capital, percent } from "../base/format.ts";
import { words } from "../base/words.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import type { ModelKey, Promised, PromiseLine, Words } from "../evaluation/types.ts";
import type { Picture } from "../shown/picture.ts";
import { reach } from "./one_evaluation.ts";

export type Legend = Words & { reach: string };

const NO_LINE: PromiseLine = { level: "", scope: "", after: "", rest: "", chosen: "any" };
export const NOTHING: Legend = { target: "", scope: "", guarantee: "", line: NO_LINE, reach: "" };

/** The model whose curve the limits bound: its name, the name with what it is made from, and the word before a noun. */
export const MODEL_WORDS: Record<ModelKey, { name: string; full: string; short: string }> = {
  ideal_model: { name: words("model.ideal_model"), full: words("model.ideal_model"), short: "ideal" },
  recalibration: { name: words("model.recalibration"), full: words("model.of_score"), short: "ideal" },
  classifier: { name: words("model.classifier"), full: words("model.classifier"), short: "this" },
};

export const modelName = ({ frame }: Picture) => MODEL_WORDS[frame.model].name;

/** The words, with how many test points lie far from the calibration data. */
export const withReach = ({ evaluation, frame }: Picture, promise: Words): Legend => ({
  target: promise.target,
  scope: promise.scope,
  guarantee: promise.guarantee,
  line: promise.line,
  reach: reach(evaluation, frame),
});

/** The remark at the confidence's slider, where limits hold at every threshold at once. */
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

const NO_WORDS: Phrase = { text: "", short: "" };
const NONE = { none: words("promise.from_both") };
type Around = readonly [head: Phrase, tail: Phrase];

/** Words before and after the guarantee of the rates, if precision has none, and if a figure of both labels has none. */
export const PRECISION_HAS_NONE: Around = [
  { text: words("promise.recall_head"), short: words("promise.recall_head_short") },
  { text: words("promise.recall_tail", NONE), short: "" },
];
export const FIGURE_HAS_NONE: Around = [
  { text: words("promise.figure_head", NONE), short: words("promise.figure_head_short") },
  NO_WORDS,
];

function around<Said extends Words>(rates: Said, [head, tail]: Around): Said {
  const { level, rest } = rates.line;
  const line =
    rates.line.scope === ""
      ? { ...rates.line, level: `${head.short}${level}${tail.short}` }
      : { ...rates.line, level: `${head.short}${level}`, rest: `${rest}${tail.short}` };
  return { ...rates, guarantee: `${head.text}${rates.guarantee}${tail.text}`, line };
}

/** Promise of a number computed from the rates of both labels: it holds if all their limits hold together. */
export function ofBothLabels(rates: Promised, noun: string, points: string, less: Around): Words {
  const target = words("promise.of_figure", { noun, model: MODEL_WORDS[rates.model].full, points });
  return { ...(isForEveryThreshold(rates) ? rates : around(rates, less)), target };
}

/** Promise of each class below their average; names those without limits. */
export function ofEachClass(rates: Words, withoutLimits: string): Words {
  const without = withoutLimits ? words("promise.class_without", { names: withoutLimits }) : "";
  const tail = {
    text: words("promise.class_tail", { without }),
    short: words("promise.class_tail_short", { without }),
  };
  return {
    ...around(rates, [NO_WORDS, tail]),
    target: words("promise.of_class", { target: rates.target }),
    scope: words("promise.class_scope", { scope: rates.scope }),
  };
}

/** Promise of each fold below the pooled curve. */
export const ofEachFold = (rates: Words): Words => ({
  ...around(rates, [NO_WORDS, { text: "", short: ", of each fold" }]),
  scope: `${rates.scope}; one fold at a time`,
});

/** Promise of the bounds of the probability at each score. */
export function ofScores(alpha: number): Words {
  const level = words("promise.at_least", { confidence: percent(1 - alpha) });
  const [scope, after] = [words("promise.every_score"), words("promise.every_size")];
  const rest = words("promise.if", { conditions: words("promise.monotone") });
  return {
    target: words("promise.of_scores"),
    scope,
    guarantee: `${level}${after}${rest}`,
    line: { level, scope, after, rest, chosen: "any" },
  };
}

/** Promise of a figure of both labels for this classifier with more test data; of rows that do not count alike as they have it. */
export function ofMoreData(noun: string, alpha: number, isExact: boolean, own: Words | null): Words {
  const points = words(isExact ? "promise.more_points" : "promise.more_points_known");
  const target = words("promise.of_figure", { noun, model: MODEL_WORDS.classifier.full, points });
  if (own) return { ...own, target };
  const scope = words("promise.fixed_threshold");
  const confidence = percent(1 - alpha);
  const level = words(isExact ? "promise.at_least" : "promise.about", { confidence });
  const after = words(isExact ? "promise.every_size" : "promise.in_large_samples");
  const rest = words("promise.if", { conditions: words("promise.same_source") });
  return {
    target,
    scope,
    guarantee: isExact
      ? `${level}${after}${rest}`
      : `${confidence}${after}${rest}${words("promise.not_in_small")}`,
    line: { level, scope, after, rest, chosen: "beforehand" },
  };
}

/** The words on a threshold that the reader picked, where the promise is for one that was not picked. */
export interface PickedMark {
  text: string;
  /** The words where there is room for one short line. */
  short: string;
  /** What has to be chosen in Python for another promise, and what it gives. */
  remedy: string;
  after: string;
  /** What can be done about it on the page, in full and where there is little room; null where nothing can. */
  press: Pressed | null;
}

export interface Pressed {
  text: string;
  short: string;
}

const FIND: Pressed = { text: "Find one that holds in the population", short: "Find one that holds" };

/** The mark of a picked threshold; `other` is another scope that is offered, or empty. */
export function pickedMark(
  { source, evaluation }: Picture,
  { chosen }: PromiseLine,
  other: string,
): PickedMark | null {
  if (chosen === "any") return null;
  const rest = { short: "picked: not promised.", remedy: "", after: "", press: null };
  if (chosen === "beforehand") {
    return {
      ...rest,
      text: "You picked this threshold on these points: the limits are for one chosen beforehand.",
      // Rows that do not count alike have no threshold that is sure to hold.
      press: evaluation.weighted ? null : FIND,
    };
  }
  const text = "You picked this threshold: not promised for it.";
  if (other !== "")
    return { ...rest, text, press: { text: `Promise it for ${other}`, short: capital(other) } };
  if (source === "static") return { ...rest, text, after: "This page holds no promise that is." };
  if (evaluation.remedy === "") return { ...rest, text, after: "These data allow no promise that is." };
  return { ...rest, text: `${text} With`, remedy: evaluation.remedy, after: "any threshold can be." };
}
