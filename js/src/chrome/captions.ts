// The words around the plot: title, sentence, and what the bands bound.

import { html, setText, setVisible } from "../base/dom.ts";
import { explained } from "../base/tooltip.ts";
import type { Component } from "../sync/view_model.ts";
import { termsIn } from "../words/help.ts";
import type { Run } from "../words/runs.ts";
import { legendOf, longestSentence, sentenceOf, titleOf } from "../words/several_evaluations.ts";

export function createTitle(): Component {
  const words = html("span");
  return {
    element: html("h2", { class: "crw-title" }, words),
    draw(picture, width) {
      setText(words, titleOf(picture, width));
    },
  };
}

/** The picture in one sentence or two. */
export function createSentence(): Component {
  const element = html("p", { class: "crw-summary" });
  let drawn = "";
  return {
    element,
    draw(picture) {
      const runs = sentenceOf(picture);
      const content = JSON.stringify(runs);
      if (content === drawn) return;
      drawn = content;
      element.replaceChildren(...runs.map(runElement));
    },
  };
}

/** Unseen, in the place of the sentence and with the longest words that it may have. */
export function createSentenceRoom(): Component {
  const element = html("p", { class: "crw-room", "aria-hidden": "true" });
  return {
    element,
    draw(picture) {
      setText(element, longestSentence(picture));
    },
  };
}

function runElement({ text, tone, strong, unbroken }: Run): HTMLElement {
  if (!unbroken) return html("span", {}, text);
  return html(strong ? "b" : "span", { class: `crw-unbroken crw-text-${tone}` }, text);
}

const TERMS = ["target", "scope", "guarantee", "reach"] as const;

/** Target, scope and guarantee of the band, and the points for which it says little. */
export function createLegend(): Component {
  const entries = TERMS.map((name) => ({
    name,
    term: html("dt", {}, name[0].toUpperCase() + name.slice(1)),
    words: html("dd"),
  }));
  let drawn = "";
  return {
    element: html("dl", { class: "crw-legend" }, ...entries.flatMap(({ term, words }) => [term, words])),
    draw(picture) {
      const legend = legendOf(picture);
      const content = JSON.stringify(legend);
      if (content === drawn) return;
      drawn = content;
      for (const { name, term, words } of entries) {
        words.replaceChildren(...explained(termsIn(legend[name])));
        // Without an assumption there is nothing to say about it.
        if (name === "guarantee")
          term.replaceChildren(
            ...(legend[name].includes(" if ") ? explained(termsIn("Guarantee")) : ["Guarantee"]),
          );
        for (const element of [term, words]) setVisible(element, legend[name] !== "");
      }
    },
  };
}
