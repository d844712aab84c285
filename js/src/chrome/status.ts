// Shows a word if the page waits for the kernel, if the kernel has gone, or if there is a problem.

import { html, nothing, svg } from "../base/template.ts";
import type { Picture } from "../shown/picture.ts";

/**
 * Each state has a word, an explanation and a shape. The shape tells states apart for those who cannot see the colour.
 */
const STATES = {
  preview: {
    word: "Preview",
    title: "The page runs ahead of the kernel",
    shape: svg`<circle cx="6" cy="6" r="4.2"></circle><path d="M6 1.8a4.2 4.2 0 0 1 0 8.4z" fill="currentColor"></path>`,
  },
  lost: {
    word: "No kernel: run the cell again",
    title: "The kernel of this chart has gone: the page goes on alone",
    shape: svg`<path d="M4.6 7.4 2.8 9.2M7.4 4.6 9.2 2.8M1.4 1.4 10.6 10.6"></path>`,
  },
  error: {
    word: "Error",
    title: "Something went wrong: see the note",
    shape: svg`<path d="M6 1.6 11 10.4H1z"></path>`,
  },
};

/**
 * Draws a word on the state of the picture: the kernel has gone, there is a problem, or the page has drawn a preview and
 * waits for the kernel. In all other cases the word is hidden.
 */
export function status({ source, problem, isLost }: Picture) {
  const state = isLost ? "lost" : problem ? "error" : source === "preview" ? "preview" : null;
  const { title, word, shape } = state ? STATES[state] : { title: nothing, word: "", shape: nothing };
  return html`<span class="crw-source crw-row crw-text-muted" data-testid="source" data-state=${state ?? nothing}
    title=${title} ?hidden=${state === null}>
    <svg aria-hidden="true" width="12" height="12" fill="none" stroke="currentColor" stroke-width="1.6">${shape}</svg>
    <span>${word}</span>
  </span>`;
}

/**
 * Returns a sentence that says whether kernel or page computed the picture, and how exactly. For a file it also names
 * the program.
 */
export function sourceText(picture: Picture, isFile: boolean): string {
  if (picture.source !== "static") return "The kernel computes these numbers.";
  const maker = isFile ? " Made with conformal_roc_widget." : "";
  return `This page works on its own, without a kernel: it ${abilityOf(picture)}.${maker}`;
}

function abilityOf({ stops, group }: Picture): string {
  if (stops?.length === 1) return "shows what was saved with it";
  const isExact = group.entries.every(({ whole, curves }) => whole || curves !== null);
  const exactness = isExact ? "exactly as Python would" : "within half a pixel of what Python would draw";
  const at = stops ? `, at ${stops.length} values of α` : "";
  return `computes the numbers itself, ${exactness}${at}`;
}
