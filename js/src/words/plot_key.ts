// The key of a plot that is too small for captions: its lines and bands in few words.

import type { Label } from "../evaluation/types.ts";
import { nounOf } from "./one_evaluation.ts";
import { TONES, type Tone } from "./runs.ts";

/** What an entry looks like on the plot; a comparator's line has the look of its tone. */
export type KeyMark = "curve" | "thin" | "band" | "hatch" | "edges" | "chance";

export interface KeyEntry {
  mark: KeyMark;
  tone: Tone;
  text: string;
}

export const CLASSIFIER_KEY: KeyEntry = { mark: "curve", tone: "ink", text: "classifier" };
export const CHANCE_KEY: KeyEntry = { mark: "chance", tone: "ink", text: "chance" };

interface Drawn {
  bounded: { label: Label }[];
  lacking: { label: Label; words: readonly [string, string] }[];
  others: { name: string; tone: Tone }[];
  /** Whose rates the limits are for. */
  model: string;
  /** The band is that of the ideal model's own curve. */
  isOwn: boolean;
}

export function rocKey({ bounded, lacking, others, model, isOwn }: Drawn): KeyEntry[] {
  const ideal = model.replace(/^an /, "");
  const isOne = bounded.length + lacking.length === 1;
  const bandText = (label: Label) => {
    if (isOwn) return `${ideal}’s own curve`;
    return isOne ? `${ideal}, same threshold` : `${ideal}’s ${nounOf(label)}`;
  };
  return [
    CLASSIFIER_KEY,
    ...bounded.map(({ label }): KeyEntry => ({ mark: "band", tone: TONES[label], text: bandText(label) })),
    ...lacking.map(
      ({ label, words: [fact] }): KeyEntry => ({ mark: "hatch", tone: TONES[label], text: fact }),
    ),
    ...others.map(({ name, tone }): KeyEntry => ({ mark: "edges", tone, text: name })),
    CHANCE_KEY,
  ];
}

/** Of several classifiers the names stand on the plot. */
export const overviewKey = (isAveraged: boolean): KeyEntry[] =>
  isAveraged
    ? [
        { mark: "curve", tone: "ink", text: "mean of the classes" },
        { mark: "thin", tone: "muted", text: "a class" },
        { mark: "band", tone: "label1", text: "limits, averaged" },
        CHANCE_KEY,
      ]
    : [CHANCE_KEY];
