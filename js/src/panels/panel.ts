import { html, setText } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import type { Width } from "../base/width.ts";
import type { Label } from "../evaluation/types.ts";
import { isCompared } from "../sync/comparators.ts";
import type { Component, Picture } from "../sync/view_model.ts";
import { className } from "../words/one_evaluation.ts";
import { shortName } from "./strip.ts";

/** The width of a track before it is measured. */
export const DEFAULT_TRACK = 344;

/** A panel of the right column, and its pieces that stand in disclosures where bands are compared. */
export interface Panel extends Component {
  /** The part of it that is read: words, numbers, tables. */
  texts: Component;
  disclosures: HTMLElement[];
}

const GUTTER = 104;

/** In a disclosure the strips are as wide as under their slider. */
export const disclosureWidth = (track: number, width: Width) => track + (width === "wide" ? GUTTER : 0);

/** The frame of a panel: the name and the value of its setting, beside or above its strips. */
export interface PanelFrame {
  element: HTMLElement;
  setValue(value: string): void;
  setRemark(remark: string, title?: string): void;
}

export function panelFrame(name: string, title: string, ...body: HTMLElement[]): PanelFrame {
  const value = html("span", { class: "crw-value" });
  const remark = html("span", { class: "crw-remark" });
  const head = html("div", { class: "crw-module-head" }, html("h3", {}, title), value, remark);
  return {
    element: html("section", { class: `crw-module crw-${name}` }, head, ...body),
    setValue: (text) => setText(value, text),
    setRemark(text, title = "") {
      setText(remark, text);
      remark.title = title;
    },
  };
}

export function rowHeading(label: Label, classes: Pair<string>): HTMLElement {
  const name = className(label, classes);
  return html(
    "th",
    { scope: "row" },
    html("b", { class: `crw-text-label${label}`, title: name }, shortName(name)),
  );
}

/** Strips and tables are folded away where bands are compared, and where there is little width. */
export const isFolded = (picture: Picture, width: Width) =>
  !isOverview(picture) && (isCompared(picture) || width === "narrow");

/** Several evaluations at once: there is no single set of residuals or scores to draw. */
export const isOverview = ({ group, shown }: Picture) => shown === null && group.kind !== "single";

/** Calls back with the width of an element whenever that changes; a hidden element keeps the width that it had. */
export function watchWidth(element: HTMLElement, changed: (width: number) => void, signal: AbortSignal) {
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0) changed(element.clientWidth);
  });
  observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}
