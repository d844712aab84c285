// Four answers at the foot of the page, a press each: more rows, the wrong rows, calibrated or not, for a paper.

import { html as element, setVisible, uniqueId } from "../../base/dom.ts";
import { html, nothing, render, unbroken } from "../../base/template.ts";
import type { Component, Picture } from "../../shown/picture.ts";
import type { Controller } from "../../sync/controller.ts";
import { calibratedText, moreRowsText, wrongText } from "../../words/answers.ts";
import { createForPaper } from "./for_paper.ts";
import { createMoreRows } from "./more_rows.ts";
import { createWrongRows } from "./wrong_rows.ts";

/** An answer: the words of its button, empty if there is none, and what the button opens. */
interface Answer {
  name: string;
  text(picture: Picture): string;
  body: Component | null;
}

/** The press that is pressed shows its answer below all of them, and again takes it away. */
export function createAnswers(controller: Controller, signal: AbortSignal): Component {
  const presses = element("div", { class: "crw-answers-presses" });
  const region = element("div", { class: "crw-answers-body", id: uniqueId("answer"), role: "region" });
  const root = element("section", { class: "crw-answers", "data-testid": "answers" }, presses, region);
  const answers: Answer[] = [
    { name: "rows", text: moreRowsText, body: createMoreRows() },
    { name: "wrong", text: wrongText, body: createWrongRows(controller) },
    { name: "calibrated", text: calibratedText, body: null },
    { name: "paper", text: () => "Copy for a paper: text, table, LaTeX", body: createForPaper(signal) },
  ];
  let open = "";
  let isRisks = true;
  let drawn: (() => void) | null = null;

  function press({ name, body }: Answer) {
    if (body === null) return isRisks ? controller.choose({ view: "reliability" }) : undefined;
    open = open === name ? "" : name;
    drawn?.();
  }

  return {
    element: root,
    draw(picture, width) {
      // A curve to guess from has no limits, and several together have no rows of their own.
      const isShown = picture.band !== "none";
      setVisible(root, isShown);
      if (!isShown) return;
      isRisks = !picture.evaluation.anySize;
      drawn = () => {
        const offered = answers.flatMap((answer) => {
          const text = answer.text(picture);
          return text === "" ? [] : [{ answer, text }];
        });
        const found = offered.find(({ answer }) => answer.name === open);
        const buttons = offered.map(({ answer, text }) => {
          const isOpen = answer.name === open;
          const expanded = answer.body === null ? nothing : isOpen;
          return html`<button type="button" class="crw-box crw-answers-press crw-answers-${answer.name}" data-testid="answer-${answer.name}"
            aria-disabled=${answer.body === null && !isRisks ? "true" : nothing} aria-expanded=${expanded} aria-controls=${answer.body === null ? nothing : region.id}
            @click=${() => press(answer)}>${unbroken(text)}</button>`;
        });
        render(html`${buttons}`, presses);
        setVisible(region, found !== undefined);
        if (found?.answer.body && region.firstChild !== found.answer.body.element)
          region.replaceChildren(found.answer.body.element);
        if (found) region.setAttribute("aria-label", found.text);
        found?.answer.body?.draw(picture, width);
      };
      drawn();
    },
  };
}
