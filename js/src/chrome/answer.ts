// Answer lines: one with the number, one with what it means.

import { html, setAttributes, setText } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import { isOneAtATime } from "../evaluation/horizons.ts";
import type { Component } from "../shown/picture.ts";
import { answerOf } from "../views/answer.ts";
import type { Run } from "../words/runs.ts";

/** The answer: one line with the number, one with what it means. */
export function createAnswer(): Component {
  const lines = [createLine("crw-summary crw-cut"), createLine("crw-meaning crw-cut crw-text-muted")];
  const element = html("div", { class: "crw-answer" }, ...lines.map((line) => line.element));
  return {
    element,
    draw(picture) {
      const { lead, meaning } = answerOf(picture);
      element.toggleAttribute("data-longer", !isOneAtATime(picture.group));
      lines[0].draw(lead);
      lines[1].draw(meaning);
    },
  };
}

/** It is drawn in every frame of a drag: while only texts change, its elements stay. */
function createLine(name: string) {
  const element = html("p", { class: name });
  let drawn: string[] = [];
  let parts: HTMLElement[] = [];
  return {
    element,
    draw(runs: Run[]) {
      const forms = runs.map(({ tone, strong, unbroken }) => `${tone} ${strong} ${unbroken}`);
      if (!isSameValue(forms, drawn)) {
        drawn = forms;
        parts = runs.map(createRun);
        element.replaceChildren(...parts);
      }
      for (const [i, { text }] of runs.entries()) setText(parts[i], text);
      setAttributes(element, { title: element.textContent ?? "" });
    },
  };
}

const createRun = ({ tone, strong, unbroken }: Run): HTMLElement =>
  unbroken ? html(strong ? "b" : "span", { class: `crw-unbroken crw-text-${tone}` }) : html("span");
