// Header: what is shown, and the choice of the view.

import { html as element, setReason } from "../base/dom.ts";
import { createSelect, offer } from "../base/select.ts";
import { html, render, unbroken } from "../base/template.ts";
import type { Width } from "../base/width.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { VIEW_KINDS, VIEW_NAMES, type ViewKind } from "../wire/controls.ts";
import { pointsText, subjectOf } from "../words/several_evaluations.ts";

/** Why a view cannot be had; empty if it can. */
function whyNot(kind: ViewKind, { evaluation, offered }: Picture): string {
  if (evaluation.unlabelled && kind !== "roc")
    return `No ${VIEW_NAMES[kind].toLowerCase()}: the labels of these rows have not come`;
  const isOfRisks = kind === "reliability" || kind === "net_benefit";
  if (isOfRisks && evaluation.anySize)
    return `No ${VIEW_NAMES[kind].toLowerCase()}: it reads scores as risks, and these are no probabilities`;
  if (kind !== "reliability" || offered.reliability) return "";
  return evaluation.weighted
    ? "No reliability: its bounds count independent rows, and test rows have weights or several belong to one person"
    : "No reliability: this page was saved without it";
}

/** Letters at the end of a name that are never cut, since names often differ there. */
const LAST = 10;

/** A name that is cut in its middle where there is no room for it. */
function inHalves(name: string) {
  const letters = [...name];
  return html`<span class="crw-cut">${letters.slice(0, -LAST).join("")}</span><span>${letters.slice(-LAST).join("")}</span>`;
}

/** What is shown: its name and its rows; and the choice of the view, which stands among the tools. */
export function createHeader(controller: Controller, title: string, signal: AbortSignal) {
  const select = createSelect(
    { class: "crw-view-select", "data-testid": "views", "aria-label": "View" },
    VIEW_KINDS.map((kind) => VIEW_NAMES[kind]),
    (i) => controller.choose({ view: VIEW_KINDS[i] }),
    signal,
  );
  VIEW_KINDS.forEach((kind, i) => {
    select.options[i].value = kind;
  });
  const head = element("h2", { class: "crw-title" });
  return {
    element: head,
    select,
    draw(picture: Picture, width: Width) {
      const { evaluation, shown, group } = picture;
      select.selectedIndex = VIEW_KINDS.indexOf(picture.view);
      // The average of classes has only the ROC curve.
      select.disabled = shown === null || !picture.page.reveal;
      const why = VIEW_KINDS.map((kind) => whyNot(kind, picture));
      // A view that these scores can never have is greyed. A view that this page lacks is left out.
      offer(
        select,
        why.map((each) => each === "" || evaluation.anySize),
        why,
      );
      if (shown === null) setReason(select, `Look at one ${group.folds ? "fold" : "class"} for another view`);
      const name = title || group.title || subjectOf(picture);
      render(
        html`<b class="crw-cut" title=${name}>${width === "narrow" ? inHalves(name) : unbroken(name)}</b>
          <span class="crw-text-muted">${pointsText(picture)}</span>`,
        head,
      );
    },
  };
}
