// What the limits are promised for, where the reader has the choice.

import { html, setText, setVisible, uniqueId } from "../base/dom.ts";
import { percent } from "../base/format.ts";
import { createSegments } from "../base/segments.ts";
import { hasBothPromises } from "../evaluation/everywhere.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";

const CHOICES = [
  { value: "individual", text: "a threshold picked blindly" },
  { value: "everywhere", text: "any threshold I pick" },
];

/** After the first threshold that the reader picks, the words that it has left are marked, with a hint, once a view. */
export function createPromise(controller: Controller, signal: AbortSignal): Component {
  const level = html("span", { id: uniqueId("crw-promise") });
  let isHinted = true;
  const choose = (i: number) => {
    isHinted = false;
    controller.choose({ guarantee: CHOICES[i].value });
  };
  const segments = createSegments(level.id, CHOICES, choose, signal);
  const hint = html(
    "button",
    { class: "crw-action", "data-testid": "promise-hint" },
    "you picked it: switch to any threshold",
  );
  hint.addEventListener("click", () => choose(1), { signal });
  const element = html("div", { class: "crw-promise", "data-testid": "promise" });
  return {
    element,
    draw({ group, evaluation, wanted, picked, ideal, view }) {
      // An ideal model's own curve and a calibration band have promises of their own.
      const isShown = hasBothPromises(group) && ideal === null && view !== "reliability";
      setVisible(element, isShown);
      if (isShown && !element.firstChild)
        element.append(level, segments.element, html("span", { role: "status" }, hint));
      setText(level, `At least ${percent(1 - wanted.alpha)} for`);
      segments.choose(CHOICES.findIndex(({ value }) => value === evaluation.words.kind));
      const isLeft = picked && evaluation.words.kind === "individual";
      element.toggleAttribute("data-picked", isLeft);
      setVisible(hint, isLeft && isHinted);
    },
  };
}
