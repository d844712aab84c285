// Pieces of text, each in one style.

import type { Pair } from "../base/pair.ts";
import { filled, piecesOf, type Values, type WordsKey } from "../base/words.ts";

/** Colour of words, named after what they are about. */
export type Tone = "ink" | "muted" | "label0" | "label1" | `comparator-${string}`;

/** A piece of text in one style. Numbers and what belongs to them stay on one line. */
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

/** Colour of the first question's limits. */
export const SAMPLING_TONE: Tone = "comparator-bootstrap";

/** A template of words.json in its styles; `tone` is that of the limits. */
export const runs = (key: WordsKey, values: Values = {}, tone: Tone = "ink"): Run[] =>
  piecesOf(key).map(([, text, bold, limits]) =>
    limits !== undefined
      ? strong(filled(limits, values), tone)
      : bold !== undefined
        ? strong(filled(bold, values))
        : plain(filled(text, values)),
  );
