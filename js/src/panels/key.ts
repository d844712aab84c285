// Key of the plot: a name and a sample for what has no name on the plot, with a switch where it can be taken off.

import { decoration, html, listen, setAttributes, svg } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import { words } from "../base/words.ts";
import { colourOf, textColour } from "../draw/colour.ts";
import { HEIGHT, sample, WIDTH } from "../draw/sample.ts";
import type { Look } from "../scene.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { type Entry, keyOf, keyOfSquares } from "../views/key.ts";
import { nameInLine } from "../words/answer.ts";
import { labelsOf } from "../words/one_evaluation.ts";

/** The names of lines and bands above the plot: a band that can be taken off has its switch in its swatch. */
export function createKey(controller: Controller, signal: AbortSignal): Component {
  const element = html("div", { class: "crw-key", "data-testid": "key", role: "group", "aria-label": "Key" });
  let picture: Picture;
  let drawn: Entry[] = [];
  let items: Item[] = [];

  function createItem({ text: words, name: value }: Entry): Item {
    const box = value === undefined ? null : html("input", { type: "checkbox", value });
    if (box) listen(box, "change", signal, () => press(box.value, box));
    const sample = decoration({ width: WIDTH, height: HEIGHT });
    const name = html("span", {}, words);
    const item = box ? html("label", {}, box, sample, name) : html("span", {}, sample, name);
    return { element: item, box, sample, text: name };
  }

  /** Switches a band on or off; one of the two labels stays on. */
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

  return {
    element,
    draw(next, width) {
      picture = next;
      const isOfSquares = width === "medium" && next.shown === null && next.group.kind === "classes";
      const { title } = next.group;
      // The header has the name already; the key leaves its room to the switches.
      const inRow = (name: string) => (width === "narrow" ? words("key.classifier") : nameInLine(name));
      const entries = (isOfSquares ? keyOfSquares(next) : keyOf(next)).map((entry) =>
        entry.id === "curve" && entry.text === title ? { ...entry, text: inRow(title) } : entry,
      );
      if (isSameValue(entries, drawn)) return;
      // Entries are built anew only if they changed, so that what is pressed or pointed at stays in its place.
      if (!isSameValue(entries.map(formOf), drawn.map(formOf))) {
        items = entries.map(createItem);
        const rows = rowsOf(entries, items);
        element.replaceChildren(...rows.map((row) => html("div", {}, ...row.map((item) => item.element))));
      }
      drawn = entries;
      entries.forEach(({ id, look }, i) => {
        const { box, sample, text } = items[i];
        if (box) box.checked = look !== null;
        sample.replaceChildren(...swatch(look, box !== null));
        setAttributes(text, {
          class: `crw-text-${id === "baseline" || look === null ? "muted" : "ink"}`,
        });
      });
    },
  };
}

/** An entry on the page. */
interface Item {
  element: HTMLElement;
  box: HTMLInputElement | null;
  sample: SVGElement;
  text: HTMLElement;
}

/** Other people's bands have a row of their own. */
function rowsOf(entries: Entry[], items: Item[]): Item[][] {
  const isOther = (i: number) => entries[i].name !== undefined && entries[i].id.startsWith("comparator-");
  const rows = [false, true].map((other) => items.filter((_, i) => isOther(i) === other));
  return rows.filter((row) => row.length > 0);
}

const formOf = ({ name, text }: Entry) => [name ?? "", text];

/** The entry's look on the plot, with a check if it can be switched; an empty box if it is off. */
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
