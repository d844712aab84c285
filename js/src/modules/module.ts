import { html, setText } from "../dom.ts";
import { className, type Label, labelName } from "../text.ts";
import type { Pair } from "../wire.ts";

/** The frame of a module of the right column: what it sets, and to which value, beside or above what shows it. */
export interface ModuleFrame {
  element: HTMLElement;
  setValue(value: string, remark: string): void;
}

export function moduleFrame(title: string, ...body: HTMLElement[]): ModuleFrame {
  const value = html("span", { class: "crw-value" });
  const remark = html("span", { class: "crw-remark" });
  const head = html("div", { class: "crw-module-head" }, html("h3", {}, title), value, remark);
  return {
    element: html("section", { class: "crw-module" }, head, ...body),
    setValue(valueText, remarkText) {
      setText(value, valueText);
      setText(remark, remarkText);
    },
  };
}

export function rowHeading(label: Label, classes: Pair<string>): HTMLElement {
  const name = html("b", { class: `crw-text-label${label}` }, labelName(label));
  const user = className(label, classes);
  return user
    ? html("th", { scope: "row" }, name, html("span", { class: "crw-class-name", title: user }, user))
    : html("th", { scope: "row" }, name);
}

export function headingRow(...texts: string[]): HTMLElement {
  return html("tr", {}, ...texts.map((text) => html("th", { scope: "col" }, text)));
}
