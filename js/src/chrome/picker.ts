import { html, setText, setVisible, uniqueId } from "../base/dom.ts";
import { createSegments, type Segments } from "../base/segments.ts";
import type { Group } from "../evaluation/types.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import { nounOfKind } from "../words/several_evaluations.ts";

const MOST_SEGMENTS = 6;
const MOST_CHARACTERS = 34;
const OVERVIEW = {
  single: "",
  classes: "Average",
  classifiers: "All",
  bands: "All",
  populations: "All",
  folds: "All",
};

/** Which class or classifier is looked at; next to each other where there is room, else in a list. */
export function createPicker(controller: Controller, signal: AbortSignal): Component {
  const id = uniqueId("crw-picker");
  const heading = html("span", { class: "crw-choice-title", id });
  const element = html("div", { class: "crw-choice crw-picker", "data-testid": "picker" }, heading);
  let group: Group | null = null;
  let control: Segments | null = null;

  function build(of: Group) {
    control?.element.remove();
    const names = [OVERVIEW[of.kind], ...of.entries.map(({ name }) => name)];
    const show = (index: number) => controller.show(index === 0 ? null : index - 1);
    const isShort = names.length <= MOST_SEGMENTS + 1 && names.join("").length <= MOST_CHARACTERS;
    control = isShort
      ? createSegments(
          id,
          names.map((text) => ({ text })),
          show,
          signal,
        )
      : createSelect(id, names, show, signal);
    element.append(control.element);
  }

  return {
    element,
    draw(picture) {
      setVisible(element, picture.group.kind !== "single");
      if (element.hidden) return;
      if (picture.group !== group) {
        group = picture.group;
        setText(
          heading,
          nounOfKind(group).replace(/^./, (first) => first.toUpperCase()),
        );
        build(group);
      }
      control?.choose(picture.shown === null ? 0 : picture.shown + 1);
    },
  };
}

function createSelect(
  labelledBy: string,
  names: string[],
  set: (index: number) => void,
  signal: AbortSignal,
): Segments {
  const options = names.map((name, i) => html("option", { value: i }, name));
  const element = html("select", { class: "crw-select", "aria-labelledby": labelledBy }, ...options);
  element.addEventListener("change", () => set(element.selectedIndex), { signal });
  element.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
  return {
    element,
    choose(index) {
      element.selectedIndex = index;
    },
  };
}
