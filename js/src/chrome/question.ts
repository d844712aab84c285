// Choice of the question that the band answers.

import { html, setText, setVisible, uniqueId } from "../base/dom.ts";
import { createSegments } from "../base/segments.ts";
import { createSelect, offer } from "../base/select.ts";
import { words } from "../base/words.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import type { BandKind } from "../wire/controls.ts";
import { VIEW_NAMES } from "../wire/controls.ts";
import { modelName } from "../words/promise.ts";

const QUESTIONS: { band: BandKind; value: string; text: string }[] = [
  { band: "sensitivity", value: "same-threshold", text: "an ideal model, same threshold" },
  { band: "ideal", value: "ideal", text: words("question.own_curve") },
  { band: "sampling", value: "sampling", text: words("question.more_data") },
];

/** Index of the choice after the last question: a curve without a band. */
const NOTHING = QUESTIONS.length;

/** Which questions are not offered, and why; empty if all are. */
function missing({ offered, source }: Picture): string {
  const held = source === "static" ? "this page was saved without it" : "its rows are not known one by one";
  return QUESTIONS.filter(({ band }) => (band === "ideal" || band === "sampling") && !offered[band])
    .map(({ text }) => `Not offered: ${text} (${held})`)
    .join("; ");
}

/** Whether all folds or classes together have an answer for more test data: their areas do. */
const isOfAll = ({ shown, group, offered }: Picture) =>
  shown === null &&
  (group.folds !== null ||
    (group.kind === "classes" && (offered.sampling || group.means?.size !== undefined)));

/** Why a question other than the first cannot be asked now; empty if it can. */
function closed({ shown, view, group }: Picture, band: BandKind): string {
  if (shown === null) return `Look at one ${group.folds ? "fold" : "class"} to ask this`;
  return view === "roc" || (band === "sampling" && view !== "reliability")
    ? ""
    : `${VIEW_NAMES[view]} does not have this question: ${VIEW_NAMES.roc} has it`;
}

/** What the band shows in a picture that answers none of these questions. */
function otherBand({ view, shown }: Picture): string {
  return shown !== null && view === "reliability"
    ? "the true share of positives, at every score at once"
    : "";
}

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
  const select = createSelect({ "aria-labelledby": title.id }, [...list, "nothing yet"], choose, signal);
  const other = html("b", { "data-testid": "question-other" });
  return {
    element: html(
      "div",
      { class: "crw-row crw-question", "data-testid": "question" },
      title,
      segments.element,
      select,
      other,
    ),
    draw(picture, width) {
      const text = otherBand(picture);
      setText(other, text);
      setVisible(other, text !== "");
      setVisible(segments.element, text === "" && width === "wide");
      setVisible(select, text === "" && width !== "wide");
      const { offered, shown, view } = picture;
      const isAsked = ({ band }: (typeof QUESTIONS)[number]) =>
        band === picture.band && (view === "roc" || isSampled(picture));
      // A curve without a band answers none.
      const isBare = view === "roc" && picture.band === "none" && shown !== null;
      const at = isBare ? NOTHING : Math.max(QUESTIONS.findIndex(isAsked), 0);
      const texts = [`${modelName(picture)}, same threshold`, ...list.slice(1)];
      const isAll = isOfAll(picture);
      const isThere = [true, shown !== null && offered.ideal, shown === null ? isAll : offered.sampling];
      const why = isThere.map((each, i) =>
        each && i > 0 && !isAll ? closed(picture, QUESTIONS[i].band) : "",
      );
      segments.choose(at);
      segments.name(texts, isThere, why);
      texts.forEach((text, i) => {
        setText(select.options[i], text);
      });
      title.title = shown === null ? closed(picture, "ideal") : missing(picture);
      offer(select, [...isThere, isBare], [...why, ""]);
      select.selectedIndex = at;
    },
  };
}
