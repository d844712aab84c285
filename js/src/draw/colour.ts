// Names of colours in the theme as values of attributes.

import type { Pen } from "../scene.ts";
import type { Tone } from "../words/runs.ts";

/** A comparator without a colour of its own has that of "other". */
export const colourOf = (name: string) =>
  name.startsWith("comparator-") ? `var(--crw-${name}, var(--crw-comparator-other))` : `var(--crw-${name})`;

/** Colour of words: a label's is darker than that of its marks. */
export const textColour = (tone: Tone | string) => colourOf(/^label[01]$/.test(tone) ? `${tone}-text` : tone);

export const strokeOf = ({ colour, width, dashes }: Pen) => ({
  stroke: colourOf(colour),
  "stroke-width": width,
  "stroke-dasharray": dashes.length > 0 ? dashes.join(" ") : "none",
});

/** Halo of words and lines that lie on others. */
export const HALO = { "paint-order": "stroke", stroke: colourOf("paper"), "stroke-linejoin": "round" };
