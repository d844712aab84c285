// Splits a text into pieces, each with one style.

import type { Pair } from "../base/pair.ts";
import { filled, piecesOf, type Values, type WordsKey } from "../base/words.ts";

/** The colour of words, named by what they are about. */
export type Tone = "ink" | "muted" | "label0" | "label1" | `comparator-${string}`;

/** A piece of text with one style. If it is `unbroken`, it stays in one line. */
export interface Run {
  text: string;
  tone: Tone;
  strong: boolean;
  unbroken: boolean;
}

export const TONES: Pair<Tone> = ["label0", "label1"];

export const plain = (text: string, tone: Tone = "ink"): Run => ({
  text,
  tone,
  strong: false,
  unbroken: false,
});
export const strong = (text: string, tone: Tone = "ink"): Run => ({
  text,
  tone,
  strong: true,
  unbroken: true,
});

/** The colour of confidence limits of this classifier in the population. */
export const SAMPLING_TONE: Tone = "comparator-bootstrap";

/** Splits a template of words.json into pieces with their styles. `tone` is the colour of the limits. */
export const runs = (key: WordsKey, values: Values = {}, tone: Tone = "ink"): Run[] =>
  piecesOf(key).map(([, text, bold, limits]) =>
    limits !== undefined
      ? strong(filled(limits, values), tone)
      : bold !== undefined
        ? strong(filled(bold, values))
        : plain(filled(text, values)),
  );
