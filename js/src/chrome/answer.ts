// Answer lines: one with the number, one with what it means.

import { html as element } from "../base/dom.ts";
import { html, render, unbroken } from "../base/template.ts";
import { isOneAtATime } from "../evaluation/horizons.ts";
import type { Component } from "../shown/picture.ts";
import { answerOf } from "../views/answer.ts";
import type { Run } from "../words/runs.ts";

/** The answer: one line with the number, one with what it means. */
export function createAnswer(): Component {
  const answer = element("div", { class: "crw-answer" });
  return {
    element: answer,
    draw(picture) {
      const { lead, meaning } = answerOf(picture);
      answer.toggleAttribute("data-longer", !isOneAtATime(picture.group));
      render(html`${line("crw-summary", lead)}${line("crw-meaning crw-text-muted", meaning)}`, answer);
    },
  };
}

const line = (name: string, runs: Run[]) =>
  html`<p class="crw-cut ${name}" title=${unbroken(runs.map(({ text }) => text).join(""))}>${runs.map(piece)}</p>`;

function piece({ text, tone, strong, unbroken: isUnbroken }: Run) {
  const words = unbroken(text);
  if (!isUnbroken) return html`<span>${words}</span>`;
  const name = `crw-unbroken crw-text-${tone}`;
  return strong ? html`<b class=${name}>${words}</b>` : html`<span class=${name}>${words}</span>`;
}
