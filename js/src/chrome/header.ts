// Header: the choice of the view, and what is shown in it.

import { html as element, setReason, uniqueId } from "../base/dom.ts";
import { createSelect, offer } from "../base/select.ts";
import { html, render, unbroken } from "../base/template.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { VIEW_KINDS, VIEW_NAMES, type ViewKind } from "../wire/controls.ts";
import { pointsText, subjectOf } from "../words/several_evaluations.ts";

/** Why a view cannot be had; empty where it can. */
function whyNot(kind: ViewKind, { evaluation, offered }: Picture): string {
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

/** The view, which is the title and a choice, and what is shown in it. */
export function createHeader(controller: Controller, title: string, signal: AbortSignal): Component {
  const labelId = uniqueId("crw-view");
  const select = createSelect(
    { class: "crw-view-select", "data-testid": "views", "aria-labelledby": labelId },
    VIEW_KINDS.map((kind) => VIEW_NAMES[kind]),
    (i) => controller.choose({ view: VIEW_KINDS[i] }),
    signal,
  );
  VIEW_KINDS.forEach((kind, i) => {
    select.options[i].value = kind;
  });
  const head = element("div", { class: "crw-head crw-row" });
  return {
    element: head,
    draw(picture, width) {
      select.selectedIndex = VIEW_KINDS.indexOf(picture.view);
      // The average of classes has the ROC curve alone.
      select.disabled = picture.shown === null;
      const { evaluation, shown, group } = picture;
      const why = VIEW_KINDS.map((kind) => whyNot(kind, picture));
      // What no page of these scores can show is greyed; what this one lacks is left out.
      offer(
        select,
        why.map((each) => each === "" || evaluation.anySize),
        why,
      );
      if (shown === null) setReason(select, `Look at one ${group.folds ? "fold" : "class"} for another view`);
      const [count, which] = pointsText(picture, width !== "wide");
      const name = title || group.title || subjectOf(picture);
      const content = html`
        <span class="crw-hidden" id=${labelId}>View</span>
        ${select}
        <h2 class="crw-title">
          <b class="crw-cut" title=${name}>${width === "narrow" ? inHalves(name) : unbroken(name)}</b> <span class="crw-text-muted">
            <span>${count}</span><span class="crw-comma">${which && ",\u00a0"}</span>
            <span class="crw-class-name crw-cut" title=${which && `${count}, ${which}`}>${unbroken(which)}</span>
          </span>
        </h2>`;
      render(content, head);
    },
  };
}
