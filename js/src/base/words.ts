// Fills in the templates of words.json, which the page and Python's pictures share. words.py explains the templates.

import TEMPLATES from "../../../conformal_roc_widget/words.json";
import {
  count,
  counted,
  fixed,
  percent,
  percentagePoints,
  rate,
  rateAtLeast,
  rateAtMost,
  share,
  thresholdText,
} from "./format.ts";

export type WordsKey = keyof typeof TEMPLATES;
export type Values = Record<string, string | number>;

export const NUMBERS = TEMPLATES["number.words"].split(" ");

/** Writes a threshold with two decimals, or with more near 0 and 1. */
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
  points: percentagePoints,
  count,
  words: (n) => NUMBERS[n] ?? count(n),
};

const FIELD = /\{(\w+):?((?:[^{}]|\{\w+\})*)\}/g;

/**
 * Returns a template, or a part of a template, in which each `{name:format}` is replaced by the value of that
 * name. If the format has the form "word|words", the first word is written for 1, and the second for all
 * other numbers. If the format is "count" with a noun, such as "count {rows}", the number is followed by the
 * noun.
 */
export const filled = (template: string, values: Values): string =>
  template.replace(FIELD, (_, name: string, format: string) => {
    if (!(name in values)) throw new Error(`no ${name} for "${template}"`);
    const value = values[name];
    if (format === "") return String(value);
    if (format.startsWith("count ")) return counted(Number(value), filled(format.slice(6), values));
    const [one, several] = format.split("|");
    if (several === undefined) return FORMATS[format](Number(value));
    return count(Number(value)) === "1" ? one : several;
  });

/**
 * Returns the text of words.json at `key` with its values filled in. The marks of styles (stars and angle brackets) are
 * left out.
 */
export const words = (key: WordsKey, values: Values = {}) =>
  filled(TEMPLATES[key].replace(/[*<>]/g, ""), values);

/**
 * Splits a template at its marks of styles. Each match has plain text in group 1, text between stars in group 2, or
 * text between angle brackets in group 3.
 */
export const piecesOf = (key: WordsKey) => [...TEMPLATES[key].matchAll(/([^*<>]+)|\*([^*]+)\*|<([^>]+)>/g)];
