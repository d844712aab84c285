// Header: the choice of the view, and what is shown in it.

import { html, setReason, setText, uniqueId } from "../base/dom.ts";
import { createSelect, offer } from "../base/select.ts";
import type { Component } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { VIEW_KINDS, VIEW_NAMES } from "../wire/controls.ts";
import { pointsText, subjectOf } from "../words/several_evaluations.ts";

/** Why it is not offered. */
const noReliability = (isDependent: boolean) =>
  isDependent
    ? "No reliability: its bounds count independent rows, and test rows have weights or several belong to one person"
    : "No reliability: this page was saved without it";

/** The view, which is the title and a choice, and what is shown in it. */
export function createHeader(controller: Controller, title: string, signal: AbortSignal): Component {
  const label = html("span", { class: "crw-hidden", id: uniqueId("crw-view") }, "View");
  const select = createSelect(
    { class: "crw-view-select", "data-testid": "views", "aria-labelledby": label.id },
    VIEW_KINDS.map((kind) => VIEW_NAMES[kind]),
    (i) => controller.choose({ view: VIEW_KINDS[i] }),
    signal,
  );
  VIEW_KINDS.forEach((kind, i) => {
    select.options[i].value = kind;
  });
  const name = html("b", { class: "crw-cut" });
  const points = html("span");
  const comma = html("span", { class: "crw-comma" });
  const positive = html("span", { class: "crw-class-name crw-cut" });
  return {
    element: html(
      "div",
      { class: "crw-head crw-row" },
      label,
      select,
      html(
        "h2",
        { class: "crw-title" },
        name,
        " ",
        html("span", { class: "crw-text-muted" }, points, comma, positive),
      ),
    ),
    draw(picture, width) {
      select.selectedIndex = VIEW_KINDS.indexOf(picture.view);
      // The average of classes has the one view.
      select.disabled = picture.shown === null;
      const isThere = VIEW_KINDS.map((kind) => kind !== "reliability" || picture.offered.reliability);
      const { offered, evaluation, shown, group } = picture;
      const why = offered.reliability ? "" : noReliability(evaluation.weighted);
      offer(
        select,
        isThere,
        VIEW_KINDS.map((kind) => (kind === "reliability" ? why : "")),
      );
      if (shown === null) setReason(select, `Look at one ${group.folds ? "fold" : "class"} for another view`);
      setText(name, title || group.title || subjectOf(picture));
      const [count, which] = pointsText(picture, width !== "wide");
      setText(points, count);
      setText(comma, which && ",\u00a0");
      setText(positive, which);
      positive.title = which && `${count}, ${which}`;
    },
  };
}
