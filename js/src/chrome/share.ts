// Lets the user set the share of positives. It is needed if the rows have no labels, because scores cannot tell how
// many rows are positive.

import { html as element, setVisible } from "../base/dom.ts";
import { html, render, unbroken } from "../base/template.ts";
import { words } from "../base/words.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";

/**
 * Makes the field of the share of positives. If it is empty, the share among the labelled rows is used. After a change
 * the kernel computes new limits.
 */
export function createShare(controller: Controller): Component {
  const root = element("p", { class: "crw-share", "data-testid": "share" });

  function onNumber(event: Event) {
    const { value, valueAsNumber } = event.target as HTMLInputElement;
    if (value.trim() === "") controller.choose({ prevalence: null });
    else if (valueAsNumber > 0 && valueAsNumber < 100)
      controller.choose({ prevalence: Number((valueAsNumber / 100).toFixed(6)) });
  }

  /** Keeps arrow keys in the field, where they change the number. Otherwise they would move a slider. */
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") event.stopPropagation();
  };

  function content({ evaluation: { unlabelled, nCalibration }, source, noun }: Picture) {
    const told = unlabelled?.told ?? null;
    const share = Number((nCalibration[1] / (nCalibration[0] + nCalibration[1])).toFixed(3));
    return html`${words("share.before")} <span class="crw-goal-least crw-box"><input type="number" inputmode="decimal"
        min="0.1" max="99.9" step="any" placeholder=${words("share.same")} aria-label=${words("share.before")}
        data-testid="share-told" ?disabled=${source === "static"} .value=${told === null ? "" : String(Number((100 * told).toFixed(4)))}
        @change=${onNumber} @keydown=${onKey}> %</span>. <span class="crw-text-muted">${unbroken(words("share.why", { noun, share }))}</span>`;
  }

  return {
    element: root,
    draw(picture) {
      setVisible(root, picture.evaluation.unlabelled !== null);
      if (picture.evaluation.unlabelled) render(content(picture), root);
    },
  };
}
