// Shows the main sentence of the page and, beside it, a verdict or a warning.

import { html as element } from "../base/dom.ts";
import { html, nothing, render, unbroken } from "../base/template.ts";
import type { Component } from "../shown/picture.ts";
import { answerOf } from "../views/answer.ts";
import type { Run } from "../words/runs.ts";

/**
 * Makes the element of the main sentence and of the verdict or the warning beside it. The sentence comes first at every
 * width.
 */
export function createAnswer(): Component {
  const answer = element("div", { class: "crw-answer", "data-testid": "answer" });
  return {
    element: answer,
    draw(picture) {
      const { lead, meaning } = answerOf(picture);
      render(html`${line("crw-summary", lead)}${line("crw-meaning crw-text-muted", meaning)}`, answer);
    },
  };
}

const line = (name: string, runs: Run[]) =>
  runs.length === 0 ? nothing : html`<p class=${name}>${runs.map(piece)}</p>`;

function piece({ text, tone, strong, unbroken: isUnbroken }: Run) {
  const words = unbroken(text);
  if (!isUnbroken) return html`<span>${words}</span>`;
  const name = `crw-unbroken crw-text-${tone}`;
  return strong ? html`<b class=${name}>${words}</b>` : html`<span class=${name}>${words}</span>`;
}
