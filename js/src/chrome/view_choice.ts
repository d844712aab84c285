import { html, setVisible, uniqueId } from "../base/dom.ts";
import { createSegments } from "../base/segments.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import { VIEW_KINDS } from "../wire/messages.ts";
import { VIEW_NAMES } from "../words/views.ts";

/** Which view of one evaluation is drawn: all in sight, or a list where there is little room. */
export function createViewChoice(controller: Controller, signal: AbortSignal): Component {
  const title = html("span", { class: "crw-unseen", id: uniqueId("crw-view") }, "View");
  const choose = (i: number) => controller.choose({ view: VIEW_KINDS[i] });
  const segments = createSegments(
    title.id,
    VIEW_KINDS.map((kind) => ({ text: VIEW_NAMES[kind], value: kind })),
    choose,
    signal,
  );
  const select = html(
    "select",
    { class: "crw-view-select", "aria-labelledby": title.id },
    ...VIEW_KINDS.map((kind) => html("option", { value: kind }, VIEW_NAMES[kind])),
  );
  select.addEventListener("change", () => choose(select.selectedIndex), { signal });
  const element = html(
    "div",
    { class: "crw-views", "data-testid": "views" },
    title,
    segments.element,
    select,
  );
  return {
    element,
    draw({ shown, view }, width) {
      setVisible(element, shown !== null);
      setVisible(segments.element, width === "wide");
      setVisible(select, width !== "wide");
      const at = VIEW_KINDS.indexOf(view);
      segments.choose(at);
      select.selectedIndex = at;
    },
  };
}
