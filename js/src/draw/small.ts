// Draws the small plot of one of several classes or folds.

import { decoration, html as element, listen, svg } from "../base/dom.ts";
import { counted } from "../base/format.ts";
import { html, render, unbroken } from "../base/template.ts";
import { words } from "../base/words.ts";
import type { Mark } from "../scene.ts";
import { colourOf } from "./colour.ts";
import { createMarks } from "./marks.ts";
import { unitScales } from "./scales.ts";

const SIZE = 132;
const SCALES = unitScales({ x0: 1, y0: SIZE + 1, size: SIZE });

/** Makes a small plot. If the user presses it, it is shown large. */
export function createMultiple(index: number, choose: () => void, signal: AbortSignal) {
  const marks = createMarks(`small-${index}`);
  const axes = svg("path", { fill: "none", stroke: colourOf("axis"), d: `M1 1V${SIZE + 1}H${SIZE + 1}` });
  const drawing = decoration({ viewBox: `0 0 ${SIZE + 2} ${SIZE + 2}` }, axes, marks.element);
  const button = element("button", { class: "crw-multiple", "data-testid": `small-multiple-${index}` });
  listen(button, "click", signal, choose);
  return {
    element: button,
    draw(name: string, n: number, area: string, all: readonly Mark[]) {
      // Name and number stand in one text node each, because browsers space the letters of each text on their
      // own.
      const points = counted(n, "points");
      const content = html`
        <span class="crw-multiple-head crw-text-muted">
          <b class="crw-cut">${unbroken(name)}</b><span>${points}</span>
        </span>
        ${drawing}
        <span class="crw-multiple-ticks crw-text-muted" aria-hidden="true">
          <span>0</span><span>${words("axis.specificity")}</span><span>1</span>
        </span>
        <span class="crw-multiple-auc crw-text-muted">AUC <b>${unbroken(area)}</b></span>`;
      render(content, button);
      marks.draw(all, SCALES);
    },
  };
}

export type Multiple = ReturnType<typeof createMultiple>;
