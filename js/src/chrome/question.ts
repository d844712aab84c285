// Lets the user choose the question, which chooses the band. The questions are: how sure the rates are, how far the
// scores are from the true risks, and how good any model could be.

import { list, radios } from "../base/choices.ts";
import { html as root, setVisible, uniqueId } from "../base/dom.ts";
import { html, render } from "../base/template.ts";
import { words } from "../base/words.ts";
import { isBare } from "../shown/goal.ts";
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

/** Whether the band "sampling" can be chosen for all folds or classes together: their areas must have limits. */
const isOfAll = ({ shown, group, offered }: Picture) =>
  shown === null &&
  (group.folds !== null ||
    (group.kind === "classes" && (offered.sampling || group.means?.size !== undefined)));

/** Returns why a band cannot be chosen now. Empty if it can. */
function closed({ shown, view, group }: Picture, band: BandKind): string {
  if (band === "sensitivity") return "";
  if (shown === null) return `Look at one ${group.folds ? "fold" : "class"} to ask this`;
  return view === "roc" || (band === "sampling" && view !== "reliability")
    ? ""
    : `${VIEW_NAMES[view]} does not have this question: ${VIEW_NAMES.roc} has it`;
}

/** Makes the control that chooses the question. If there is little room, it is a drop-down list. */
export function createQuestion(controller: Controller): Component {
  const id = uniqueId("crw-question");
  const element = root("div", { class: "crw-question", "data-testid": "question" });
  const choose = (i: number) => controller.choose({ band: QUESTIONS[i].band });

  function choiceOf(picture: Picture) {
    const { offered, shown, view, band } = picture;
    const isInFront = (question: (typeof QUESTIONS)[number]) =>
      question.band === band && (view === "roc" || isSampled(picture));
    const at = QUESTIONS.findIndex(isInFront);
    const isAll = isOfAll(picture);
    const isThere = [shown === null ? isAll : offered.sampling, true, shown !== null && offered.ideal];
    const options = QUESTIONS.map(({ band, value, text }, i) => {
      return { value, text, isThere: isThere[i], why: isThere[i] && !isAll ? closed(picture, band) : "" };
    });
    return { options, chosen: at < 0 ? 1 : at, choose };
  }

  return {
    element,
    draw(picture, width) {
      const { shown, view, evaluation } = picture;
      // If the band is "none", there are no limits, and so no question. In the reliability view, another
      // component shows the question.
      const isElsewhere = view === "reliability" && shown !== null;
      const isAsked = evaluation.unlabelled === null && !isBare(picture) && !isElsewhere;
      // In the reliability view the control is invisible but keeps its room, so that the plot stays in place.
      const isKept = evaluation.unlabelled === null && isElsewhere && width !== "narrow";
      element.classList.toggle("crw-unseen", isKept);
      setVisible(element, isAsked || isKept);
      const choice = choiceOf(picture);
      const shownAs =
        width === "narrow" ? list({ label: "Question" }, choice) : radios(id, "crw-segments", choice);
      render(html`<span class="crw-hidden" id=${id}>Question</span>${shownAs}`, element);
    },
  };
}
