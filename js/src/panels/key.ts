// Makes the key of the plot. It has a sample and a name for each mark that is not named on the plot, and a switch if
// the mark can be hidden.

import { html as element, svg } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import { html, render, unbroken } from "../base/template.ts";
import { words } from "../base/words.ts";
import { colourOf, textColour } from "../draw/colour.ts";
import { HEIGHT, sample, WIDTH } from "../draw/sample.ts";
import type { Look } from "../scene.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { type Entry, keyOf, keyOfSquares } from "../views/key.ts";
import { nameInLine } from "../words/answer.ts";
import { labelsOf } from "../words/one_evaluation.ts";

/** Makes the key: a list of lines and bands above the plot. If the user can hide a band, its sample is a switch. */
export function createKey(controller: Controller): Component {
  const key = element("div", { class: "crw-key", "data-testid": "key", role: "group", "aria-label": "Key" });
  let picture: Picture;
  let drawn: Entry[] = [];

  /** Shows or hides a band. If only one label's band is visible, it cannot be hidden. */
  function press(name: string, box: HTMLInputElement) {
    const { band, page, evaluation } = picture;
    if (name === "arc") return controller.choosePage({ arc: box.checked });
    const label = ["specificity", "sensitivity"].indexOf(name);
    if (label < 0) return controller.setShown(name, box.checked);
    const isArc = evaluation.simultaneous && page.arc;
    const others = isArc ? [] : labelsOf(band).filter((each) => each !== label);
    if (!box.checked && others.length === 0) {
      box.checked = true;
      return;
    }
    const isBoth = box.checked && others.length > 0;
    const only = box.checked ? name : others[0] === 1 ? "sensitivity" : "specificity";
    const choice = isBoth ? "both" : (only as "sensitivity" | "specificity");
    controller.choose({ band: choice, ...(isArc ? { page: { ...page, arc: false } } : {}) });
  }

  function item({ text, name, look }: Entry) {
    const isSwitch = name !== undefined;
    const parts = html`
      <svg aria-hidden="true" translate="no" width=${WIDTH} height=${HEIGHT}>${swatch(look, isSwitch)}</svg>
      <span class="crw-text-ink">${unbroken(text)}</span>`;
    if (!isSwitch) return html`<span>${parts}</span>`;
    const change = ({ target }: Event) => press(name, target as HTMLInputElement);
    return html`<label><input type="checkbox" value=${name} @change=${change}>${parts}</label>`;
  }

  return {
    element: key,
    draw(next, width) {
      picture = next;
      const isOfSquares = width === "medium" && next.shown === null && next.group.kind === "classes";
      const { title } = next.group;
      // The header shows the name of the evaluation in full. So the key shortens the name, and on a narrow
      // page it says “classifier” instead.
      const inRow = (name: string) => (width === "narrow" ? words("key.classifier") : nameInLine(name));
      const entries = (isOfSquares ? keyOfSquares(next) : keyOf(next)).map((entry) =>
        entry.id === "curve" && entry.text === title ? { ...entry, text: inRow(title) } : entry,
      );
      if (isSameValue(entries, drawn)) return;
      drawn = entries;
      const rows = rowsOf(entries);
      render(
        rows.map((row) => html`<div>${row.map(item)}</div>`),
        key,
      );
      // If the user has ticked a box since the last drawing, lit-html does not know it. So `checked` of all
      // boxes is set here.
      const switches = rows.flat().filter(({ name }) => name !== undefined);
      key.querySelectorAll("input").forEach((box, i) => {
        box.checked = switches[i].look !== null;
      });
    },
  };
}

/** Returns the entries in rows. The bands of comparators are in a row of their own. */
function rowsOf(entries: Entry[]): Entry[][] {
  const isOther = ({ id, name }: Entry) => name !== undefined && id.startsWith("comparator-");
  const rows = [false, true].map((other) => entries.filter((entry) => isOther(entry) === other));
  return rows.filter((row) => row.length > 0);
}

/**
 * Returns a small drawing of the entry's line or band. If the entry is a switch, a check mark says that the
 * mark is visible. A switch of a line or of a hidden mark is drawn as a box.
 */
function swatch(look: Look | null, isSwitch: boolean): SVGElement[] {
  const parts = look ? sample(look) : [];
  if (isSwitch && look?.kind !== "area") {
    const box = { x: 0.5, y: 0.5, width: WIDTH - 1, height: HEIGHT - 1, rx: 3 };
    parts.splice(0, parts.length, svg("rect", { fill: "none", stroke: colourOf("track"), ...box }));
  }
  if (isSwitch && look) {
    const stroke = textColour(look.pen.colour);
    parts.push(svg("path", { fill: "none", stroke, "stroke-width": 2, d: "M5.5 7 8 9.5 13 4.5" }));
  }
  return parts;
}
