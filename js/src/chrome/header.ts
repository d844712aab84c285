// Shows the name of the evaluation, and the choice of the view.

import { list } from "../base/choices.ts";
import { html as element } from "../base/dom.ts";
import { html, render, unbroken } from "../base/template.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { VIEW_KINDS, VIEW_NAMES, type ViewKind } from "../wire/controls.ts";
import { pointsText, subjectOf } from "../words/several_evaluations.ts";

/** Returns why a view cannot be chosen. Empty if it can. */
function whyNot(kind: ViewKind, { evaluation, offered }: Picture): string {
  if (evaluation.unlabelled && kind !== "roc")
    return `No ${VIEW_NAMES[kind].toLowerCase()}: the labels of these rows have not come`;
  const isOfRisks = kind === "reliability" || kind === "net_benefit";
  if (isOfRisks && evaluation.anySize)
    return `No ${VIEW_NAMES[kind].toLowerCase()}: it reads scores as risks, and these are no probabilities`;
  if (kind !== "reliability" || offered.reliability) return "";
  return evaluation.weighted
    ? "No reliability: rows have weights or belong to people, and its bounds count independent rows"
    : "No reliability: this page was saved without it";
}

/** The number of letters at the end of a name that are never cut, because names often differ there. */
const LAST = 10;

/** Returns a name in two parts. If there is too little room, the style sheet cuts the end of the first. */
function inHalves(name: string) {
  const letters = [...name];
  return html`<span class="crw-cut">${letters.slice(0, -LAST).join("")}</span><span>${letters.slice(-LAST).join("")}</span>`;
}

/** Draws the choice of the view. */
export function viewChoice(picture: Picture, controller: Controller) {
  const { evaluation, shown, group, view, page } = picture;
  const options = VIEW_KINDS.map((kind) => {
    const why = whyNot(kind, picture);
    // `why` says why a view cannot be chosen. Such a view is left out. If scores may be outside [0, 1], it is
    // greyed instead.
    return { text: VIEW_NAMES[kind], value: kind, why, isThere: why === "" || evaluation.anySize };
  });
  // If all classes or folds are shown together, there is only a ROC curve. Then no other view can be chosen.
  const closed =
    shown === null ? `Look at one ${group.folds ? "fold" : "class"} for another view` : undefined;
  return list(
    { label: "View", look: "crw-view-select", id: "views", isOff: shown === null || !page.reveal, closed },
    { options, chosen: VIEW_KINDS.indexOf(view), choose: (i) => controller.choose({ view: VIEW_KINDS[i] }) },
  );
}

/** Makes the header: the evaluation's name and rows. */
export function createHeader(title: string): Component {
  const head = element("h2", { class: "crw-title" });
  return {
    element: head,
    draw(picture, width) {
      const name = title || picture.group.title || subjectOf(picture);
      render(
        html`<b class="crw-cut" title=${name}>${width === "narrow" ? inHalves(name) : unbroken(name)}</b>
          <span class="crw-text-muted">${pointsText(picture)}</span>`,
        head,
      );
    },
  };
}
