// Fills the templates of words.json, which has what the page and Python’s pictures say alike; its twin is words.py, which
// says how a template is written.

import TEMPLATES from "../../../conformal_roc_widget/words.json";
import { count, fixed, percent, rate, rateAtLeast, rateAtMost, share, thresholdText } from "./format.ts";

export type WordsKey = keyof typeof TEMPLATES;
export type Values = Record<string, string | number>;

export const NUMBERS = TEMPLATES["number.words"].split(" ");

/** A threshold with two decimals, more next to 0 and 1. */
function about(threshold: number) {
  return Math.min(threshold, 1 - threshold) < 0.05 ? thresholdText(threshold) : rate(threshold);
}

const FORMATS: Record<string, (value: number) => string> = {
  rate,
  least: rateAtLeast,
  most: rateAtMost,
  three: (value) => fixed(value, 3),
  whole: (value) => fixed(value, 0),
  threshold: thresholdText,
  about,
  percent,
  share,
  count,
  words: (n) => NUMBERS[n] ?? count(n),
};

const FIELD = /\{(\w+):?([^}]*)\}/g;

/** A template, or a piece of one, with its values. */
export const filled = (template: string, values: Values) =>
  template.replace(FIELD, (_, name: string, format: string) => {
    if (!(name in values)) throw new Error(`no ${name} for "${template}"`);
    const value = values[name];
    if (format === "") return String(value);
    const [one, several] = format.split("|");
    return several === undefined ? FORMATS[format](Number(value)) : value === 1 ? one : several;
  });

/** The template of this name with its values. */
export const words = (key: WordsKey, values: Values = {}) =>
  filled(TEMPLATES[key].replace(/[*<>]/g, ""), values);

/** The pieces of a template, each in one style; the second of the groups is between stars, the third between angles. */
export const piecesOf = (key: WordsKey) => [...TEMPLATES[key].matchAll(/([^*<>]+)|\*([^*]+)\*|<([^>]+)>/g)];
