// Choice of the question that the band answers.

import { html, setText, setVisible, uniqueId } from "../base/dom.ts";
import { createSegments } from "../base/segments.ts";
import { createSelect, offer } from "../base/select.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import type { BandKind } from "../wire/messages.ts";

const QUESTIONS: { band: BandKind; value: string; text: string }[] = [
  { band: "sensitivity", value: "same-threshold", text: "an ideal model, same threshold" },
  { band: "ideal", value: "ideal", text: "an ideal model’s own curve" },
  { band: "sampling", value: "sampling", text: "this classifier, more test data" },
];

/** The question that the band answers: all of them in sight, or a list where there is little room. */
export function createQuestion(controller: Controller, signal: AbortSignal): Component {
  const title = html(
    "span",
    { class: "crw-text-muted crw-small crw-unbroken", id: uniqueId("crw-question") },
    "The band shows",
  );
  const choose = (i: number) => controller.choose({ band: QUESTIONS[i].band });
  const segments = createSegments(title.id, QUESTIONS, choose, signal);
  const list = QUESTIONS.map(({ text }) => text);
  const select = createSelect({ "aria-labelledby": title.id }, list, choose, signal);
  return {
    element: html(
      "div",
      { class: "crw-row crw-question", "data-testid": "question" },
      title,
      segments.element,
      select,
    ),
    draw(picture, width) {
      setVisible(segments.element, width === "wide");
      setVisible(select, width !== "wide");
      const { offered, shown, view } = picture;
      const isAsked = ({ band }: (typeof QUESTIONS)[number]) => view === "roc" && band === picture.band;
      const at = Math.max(QUESTIONS.findIndex(isAsked), 0);
      const texts = QUESTIONS.map(({ text }) => text.replace("an ideal model,", `${picture.frame.model},`));
      const isThere = [true, shown !== null && offered.ideal, shown !== null && offered.sampling];
      // The other views have the first question alone.
      const isEnabled = isThere.map((each, i) => each && (i === 0 || view === "roc"));
      segments.choose(at);
      segments.name(texts, isThere, isEnabled);
      texts.forEach((text, i) => {
        setText(select.options[i], text);
      });
      offer(select, isThere, isEnabled);
      select.selectedIndex = at;
    },
  };
}
