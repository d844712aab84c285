// Lets the user choose one of several evaluations.

import { createChanges } from "../base/changes.ts";
import { list, radios } from "../base/choices.ts";
import { html as root, setVisible, uniqueId } from "../base/dom.ts";
import { shortName } from "../base/format.ts";
import { html, nothing, render } from "../base/template.ts";
import { lineSample } from "../draw/sample.ts";
import { isOneAtATime } from "../evaluation/horizons.ts";
import { hasCuts } from "../shown/cuts.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { penOf } from "../views/others.ts";
import { choicesOf } from "../words/several_evaluations.ts";

/**
 * The largest number of letters of a name in the list. The middle of a longer name is left out, because names
 * often differ at their ends.
 */
const MOST_LETTERS = 40;

/**
 * Makes the control that chooses one of several evaluations, or the average of classes. If there is room, each option
 * shows a piece of the evaluation's line.
 */
export function createPicker(controller: Controller): Component {
  const id = uniqueId("crw-look");
  const element = root("div", { class: "crw-look", "data-testid": "picker" });
  const isNews = createChanges();

  function content({ group, shown }: Picture) {
    const { average, names, isShort } = choicesOf(group);
    const first = average.length;
    const sample = (i: number) => (first > 0 ? undefined : lineSample(penOf(i, shown)));
    const choice = {
      options: names.map((text, i) => ({ text, value: text, sample: sample(i) })),
      chosen: (shown ?? -1) + first,
      choose: (i: number) => controller.show(i < first ? null : i - first),
    };
    const short = choice.options.map(({ text }) => ({ text: shortName(text, MOST_LETTERS) }));
    const next = () => controller.show(((shown ?? -1) + 1) % group.entries.length);
    return html`
      <span class="crw-text-muted" id=${id}>Look at</span>
      ${isShort ? radios(id, "", choice) : list({ label: "Look at" }, { ...choice, options: short })}
      ${
        group.kind === "samples" && names.length > 1
          ? html`<button type="button" class="crw-link" data-testid="next-sample" @click=${next}>Next</button>`
          : nothing
      }`;
  }

  return {
    element,
    draw(picture, width) {
      const { group, shown } = picture;
      // If the page is not wide, the table of classifiers or populations replaces this control.
      const isThere = !isOneAtATime(group) && (width === "wide" || !hasCuts(group));
      setVisible(element, isThere);
      if (isThere && isNews(group, shown)) render(content(picture), element);
    },
  };
}
