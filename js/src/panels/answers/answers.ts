// Makes the four buttons at the foot of the page: what more rows would give, which rows are predicted wrongly, whether
// the scores are calibrated, and a text for a paper.

import { html as element, setVisible, uniqueId } from "../../base/dom.ts";
import { html, nothing, render, unbroken } from "../../base/template.ts";
import type { Component, Picture } from "../../shown/picture.ts";
import type { Controller } from "../../sync/controller.ts";
import { calibratedText, moreRowsText, wrongText } from "../../words/answers.ts";
import { createForPaper } from "./for_paper.ts";
import { createMoreRows } from "./more_rows.ts";
import { createWrongRows } from "./wrong_rows.ts";

/**
 * A button and the content that it opens. If there is no answer, the text of the button is empty. If `body`
 * is null, the button opens the reliability view.
 */
interface Answer {
  name: string;
  text(picture: Picture): string;
  body: Component | null;
}

/** Makes the buttons. If the user presses one, its answer appears below all buttons. Another press hides it. */
export function createAnswers(controller: Controller, signal: AbortSignal): Component {
  const presses = element("div", { class: "crw-answers-presses" });
  const region = element("div", { class: "crw-answers-body", id: uniqueId("answer"), role: "region" });
  const root = element("section", { class: "crw-answers", "data-testid": "answers" }, presses, region);
  const answers: Answer[] = [
    { name: "rows", text: moreRowsText, body: createMoreRows() },
    { name: "wrong", text: wrongText, body: createWrongRows(controller) },
    { name: "calibrated", text: calibratedText, body: null },
    { name: "paper", text: () => "Copy for a paper", body: createForPaper(signal) },
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
      // If the band is "none", the user is to guess the limits first. The answers would give the limits away,
      // so they are hidden.
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
