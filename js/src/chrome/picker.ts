// Choice of the evaluation among several that is looked at.

import { createChanges } from "../base/changes.ts";
import { html, listen, setVisible, uniqueId } from "../base/dom.ts";
import { shortName } from "../base/format.ts";
import { createSelect } from "../base/select.ts";
import { createLineSample, type LineSample } from "../draw/line_sample.ts";
import { isOneAtATime } from "../evaluation/horizons.ts";
import type { Group } from "../evaluation/types.ts";
import { hasCuts } from "../shown/cuts.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { penOf } from "../views/others.ts";
import { choicesOf } from "../words/several_evaluations.ts";

/** The choice of what is looked at: one of several evaluations, or the average of classes. Each has a piece of its line, if there is room. */
export function createPicker(controller: Controller, signal: AbortSignal): Component {
  const id = uniqueId("crw-look");
  const heading = html("span", { class: "crw-text-muted", id }, "Look at");
  const element = html("div", { class: "crw-look", "data-testid": "picker" }, heading);
  const next = html("button", { class: "crw-link", "data-testid": "next-sample" }, "Next");
  listen(next, "click", signal, () => controller.show((at + 1) % many));
  const isNews = createChanges();
  let [at, many] = [0, 1];
  let choose: (at: number) => void = () => {};

  function build(group: Group) {
    const { average, names, isShort } = choicesOf(group);
    const show = (at: number) => controller.show(at < average.length ? null : at - average.length);
    const lines = average.length > 0 ? null : names.map(createLineSample);
    const control = isShort ? radios(id, names, lines, show, signal) : list(id, names, show, signal);
    choose = (at) => control.choose(at + average.length);
    setVisible(next, group.kind === "samples" && names.length > 1);
    element.replaceChildren(heading, control.element, next);
  }

  return {
    element,
    draw({ group, shown }: Picture, width) {
      // If there is little room, the table of several is the choice.
      const isThere = !isOneAtATime(group) && (width === "wide" || !hasCuts(group));
      setVisible(element, isThere);
      if (!isThere) return;
      if (isNews(group)) build(group);
      [at, many] = [shown ?? -1, group.entries.length];
      choose(shown ?? -1);
    },
  };
}

type Show = (at: number) => void;

/** A name longer than this would be cut at its end, where names differ. */
const MOST_LETTERS = 40;

function radios(id: string, names: string[], lines: LineSample[] | null, show: Show, signal: AbortSignal) {
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
      html("label", {}, inputs[i], ...(lines ? [lines[i].element] : []), html("span", {}, text)),
    ),
  );
  const choose = (at: number) => {
    inputs.forEach((input, i) => {
      input.checked = i === at;
      lines?.[i].draw(penOf(i, at));
    });
  };
  return { element, choose };
}

function list(id: string, names: string[], show: Show, signal: AbortSignal) {
  const texts = names.map((name) => shortName(name, MOST_LETTERS));
  const element = createSelect({ "aria-labelledby": id }, texts, show, signal);
  const choose = (at: number) => {
    element.selectedIndex = at;
  };
  return { element, choose };
}
