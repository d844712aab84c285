// Small plot of one class or fold among several.

import { decoration, html, listen, setText, svg } from "../base/dom.ts";
import { count } from "../base/format.ts";
import { words } from "../base/words.ts";
import type { Mark } from "../scene.ts";
import { colourOf } from "./colour.ts";
import { createMarks } from "./marks.ts";
import { unitScales } from "./scales.ts";

const SIZE = 132;
const SCALES = unitScales({ x0: 1, y0: SIZE + 1, size: SIZE });

/** A small plot; a press shows it large. */
export function createMultiple(index: number, choose: () => void, signal: AbortSignal) {
  const name = html("b", { class: "crw-cut" });
  const points = html("span");
  const auc = html("b");
  const marks = createMarks(`small-${index}`);
  const axes = svg("path", { fill: "none", stroke: colourOf("axis"), d: `M1 1V${SIZE + 1}H${SIZE + 1}` });
  const ticks = ["0", words("axis.specificity"), "1"].map((text) => html("span", {}, text));
  const element = html(
    "button",
    { class: "crw-multiple", "data-testid": `small-multiple-${index}` },
    html("span", { class: "crw-multiple-head crw-text-muted" }, name, points),
    decoration({ viewBox: `0 0 ${SIZE + 2} ${SIZE + 2}` }, axes, marks.element),
    html("span", { class: "crw-multiple-ticks crw-text-muted", "aria-hidden": "true" }, ...ticks),
    html("span", { class: "crw-multiple-auc crw-text-muted" }, "AUC ", auc),
  );
  listen(element, "click", signal, choose);
  return {
    element,
    draw(entryName: string, n: number, area: string, all: readonly Mark[]) {
      setText(name, entryName);
      setText(points, `${count(n)} ${n === 1 ? "point" : "points"}`);
      setText(auc, area);
      marks.draw(all, SCALES);
    },
  };
}

export type Multiple = ReturnType<typeof createMultiple>;
