// Choice of the evaluation among several that is looked at.

import { createChanges } from "../base/changes.ts";
import { decoration, html, listen, setAttributes, setVisible, svg, uniqueId } from "../base/dom.ts";
import { createSelect } from "../base/select.ts";
import { strokeOf } from "../draw/colour.ts";
import type { Group } from "../evaluation/types.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component, Picture } from "../sync/view_model.ts";
import { SERIES } from "../views/others.ts";
import { pen } from "../views/parts.ts";
import { choicesOf } from "../words/several_evaluations.ts";

/** Which of several evaluations is looked at, or the average of classes: with their lines where there is room. */
export function createPicker(controller: Controller, signal: AbortSignal): Component {
  const id = uniqueId("crw-look");
  const heading = html("span", { class: "crw-text-muted", id }, "Look at");
  const element = html("div", { class: "crw-look", "data-testid": "picker" }, heading);
  const isNews = createChanges();
  let choose: (at: number) => void = () => {};

  function build(group: Group) {
    const { average, names, isShort } = choicesOf(group);
    const show = (at: number) => controller.show(at < average.length ? null : at - average.length);
    const lines = average.length > 0 ? null : names.map(() => svg("path", { d: "M0 5H22" }));
    const control = isShort ? radios(id, names, lines, show, signal) : list(id, names, show, signal);
    choose = (at) => control.choose(at + average.length);
    element.replaceChildren(heading, control.element);
  }

  return {
    element,
    draw({ group, shown }: Picture) {
      setVisible(element, group.kind !== "single");
      if (group.kind === "single") return;
      if (isNews(group)) build(group);
      choose(shown ?? -1);
    },
  };
}

const LOOKED_AT = pen("ink", 2);

const drawingOf = (line: SVGElement) => decoration({ width: 22, height: 10 }, line);

type Show = (at: number) => void;

function radios(id: string, names: string[], lines: SVGElement[] | null, show: Show, signal: AbortSignal) {
  const name = uniqueId("crw-entry");
  const inputs = names.map((text, i) => {
    const input = html("input", { type: "radio", name, value: text });
    listen(input, "change", signal, () => show(i));
    return input;
  });
  const element = html(
    "div",
    { role: "radiogroup", "aria-labelledby": id },
    ...names.map((text, i) =>
      html("label", {}, inputs[i], ...(lines ? [drawingOf(lines[i])] : []), html("span", {}, text)),
    ),
  );
  const choose = (at: number) => {
    inputs.forEach((input, i) => {
      input.checked = i === at;
      if (lines) setAttributes(lines[i], strokeOf(i === at ? LOOKED_AT : SERIES[i % SERIES.length]));
    });
  };
  return { element, choose };
}

function list(id: string, names: string[], show: Show, signal: AbortSignal) {
  const element = createSelect({ "aria-labelledby": id }, names, show, signal);
  const choose = (at: number) => {
    element.selectedIndex = at;
  };
  return { element, choose };
}
