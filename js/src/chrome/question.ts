// Choice of the question that the band answers.

import { html, setVisible, uniqueId } from "../base/dom.ts";
import { createSegments } from "../base/segments.ts";
import { createSelect, offer } from "../base/select.ts";
import { words } from "../base/words.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import type { BandKind } from "../wire/controls.ts";
import { VIEW_NAMES } from "../wire/controls.ts";

const QUESTIONS: { band: BandKind; value: string; text: string }[] = [
  { band: "sampling", value: "sampling", text: words("question.sure") },
  { band: "sensitivity", value: "same-threshold", text: words("question.true_risks") },
  { band: "ideal", value: "ideal", text: words("question.best") },
];

/** Whether all folds or classes together have an answer to the first question: their areas do. */
const isOfAll = ({ shown, group, offered }: Picture) =>
  shown === null &&
  (group.folds !== null ||
    (group.kind === "classes" && (offered.sampling || group.means?.size !== undefined)));

/** Why a question cannot be asked now; empty if it can. */
function closed({ shown, view, group }: Picture, band: BandKind): string {
  if (band === "sensitivity") return "";
  if (shown === null) return `Look at one ${group.folds ? "fold" : "class"} to ask this`;
  return view === "roc" || (band === "sampling" && view !== "reliability")
    ? ""
    : `${VIEW_NAMES[view]} does not have this question: ${VIEW_NAMES.roc} has it`;
}

/** The question that the band answers: all of them in sight, or a list where there is little room. */
export function createQuestion(controller: Controller, signal: AbortSignal): Component {
  const title = html("span", { class: "crw-hidden", id: uniqueId("crw-question") }, "Question");
  const choose = (i: number) => controller.choose({ band: QUESTIONS[i].band });
  const segments = createSegments(title.id, QUESTIONS, choose, signal);
  const texts = QUESTIONS.map(({ text }) => text);
  const select = createSelect({ "aria-labelledby": title.id }, texts, choose, signal);
  const element = html(
    "div",
    { class: "crw-question", "data-testid": "question" },
    title,
    segments.element,
    select,
  );
  return {
    element,
    draw(picture, width) {
      const { offered, shown, view, band, evaluation } = picture;
      // The "guess first" curve has no question. The reliability has its own question elsewhere.
      const isAsked =
        evaluation.unlabelled === null &&
        !(view === "roc" && band === "none" && shown !== null) &&
        !(view === "reliability" && shown !== null);
      // Above the plot its place is kept: another view moves no plot.
      const isKept =
        evaluation.unlabelled === null && view === "reliability" && shown !== null && width !== "narrow";
      element.classList.toggle("crw-unseen", isKept);
      setVisible(element, isAsked || isKept);
      setVisible(segments.element, width !== "narrow");
      setVisible(select, width === "narrow");
      if (!isAsked) return;
      const isInFront = (question: (typeof QUESTIONS)[number]) =>
        question.band === band && (view === "roc" || isSampled(picture));
      const at = QUESTIONS.findIndex(isInFront);
      const isAll = isOfAll(picture);
      const isThere = [shown === null ? isAll : offered.sampling, true, shown !== null && offered.ideal];
      const why = QUESTIONS.map((each, i) => (isThere[i] && !isAll ? closed(picture, each.band) : ""));
      segments.choose(at < 0 ? 1 : at);
      segments.name(texts, isThere, why);
      offer(select, isThere, why);
      select.selectedIndex = at < 0 ? 1 : at;
    },
  };
}
