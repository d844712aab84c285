import { html, setText } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import type { Label } from "../evaluation/types.ts";
import type { Component, Picture } from "../sync/view_model.ts";
import { className } from "../words/one_evaluation.ts";
import { shortName } from "./strip.ts";

/** The width of a track before it is measured. */
export const DEFAULT_TRACK = 344;

/** Heights of the strips, which share the room that a tall plot gives. */
export interface Heights {
  residuals: number;
  scores: number;
}

/** A slider with its value, and the strips below it. */
export interface Panel extends Component {
  strips: HTMLElement;
  setHeights(heights: Heights): void;
  /** The part of it that is read: words and numbers. */
  texts: Component;
}

/** The frame of a slider: the name and the value of its setting beside it. */
export interface SettingFrame {
  element: HTMLElement;
  head: HTMLElement;
  setValue(value: string): void;
  setRemark(remark: string, title?: string): void;
}

export function settingFrame(name: string, title: string, ...body: HTMLElement[]): SettingFrame {
  const value = html("span", { class: "crw-value" });
  const remark = html("span", { class: "crw-remark" });
  const head = html("div", { class: "crw-setting-head" }, html("h3", {}, title), value, remark);
  return {
    element: html("section", { class: `crw-setting crw-${name}` }, head, ...body),
    head,
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

/** All classes or folds: there is no single set of residuals or scores to draw. */
export const isOverview = ({ shown }: Picture) => shown === null;

/** Calls back with the widths of elements whenever one changes; that of a hidden element is 0. */
export function watchWidth(
  elements: HTMLElement[],
  changed: (widths: number[]) => void,
  signal: AbortSignal,
) {
  let known = "";
  const observer = new ResizeObserver(() => {
    const widths = elements.map(({ clientWidth }) => clientWidth);
    if (widths.join() === known) return;
    known = widths.join();
    changed(widths);
  });
  for (const element of elements) observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}
