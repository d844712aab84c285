// Turns the theme's names of colours into CSS variables.

import type { Pen } from "../scene.ts";
import type { Tone } from "../words/runs.ts";

/** Returns the CSS variable of a colour. A comparator without a colour of its own gets the one named "other". */
export const colourOf = (name: string) =>
  name.startsWith("comparator-") ? `var(--crw-${name}, var(--crw-comparator-other))` : `var(--crw-${name})`;

/** Returns the colour of a text. The text of a label is darker than its marks. */
export const textColour = (tone: Tone | string) => colourOf(/^label[01]$/.test(tone) ? `${tone}-text` : tone);

export const strokeOf = ({ colour, width, dashes }: Pen) => ({
  stroke: colourOf(colour),
  "stroke-width": width,
  "stroke-dasharray": dashes.length > 0 ? dashes.join(" ") : "none",
});

/** The outline that keeps words and lines readable where they lie over other marks. */
export const HALO = { "paint-order": "stroke", stroke: colourOf("paper"), "stroke-linejoin": "round" };
