import { html } from "../base/dom.ts";
import type { Component } from "../sync/view_model.ts";
import { answerOf } from "../views/answer.ts";
import type { Run } from "../words/runs.ts";

/** The answer: one line with the number, one with what it means. */
export function createAnswer(): Component {
  const lines = [createLine("crw-summary crw-cut"), createLine("crw-meaning crw-cut crw-text-muted")];
  return {
    element: html("div", { class: "crw-answer" }, ...lines.map(({ element }) => element)),
    draw(picture) {
      const { lead, meaning } = answerOf(picture);
      lines[0].draw(lead);
      lines[1].draw(meaning);
    },
  };
}

function createLine(name: string) {
  const element = html("p", { class: name });
  let drawn = "";
  return {
    element,
    draw(runs: Run[]) {
      const content = JSON.stringify(runs);
      if (content === drawn) return;
      drawn = content;
      element.replaceChildren(
        ...runs.map(({ text, tone, strong, unbroken }) =>
          unbroken
            ? html(strong ? "b" : "span", { class: `crw-unbroken crw-text-${tone}` }, text)
            : html("span", {}, text),
        ),
      );
      element.title = element.textContent ?? "";
    },
  };
}
