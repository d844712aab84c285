import { decoration, html, svg } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component, Picture } from "../sync/view_model.ts";
import { labelsOf } from "../words/one_evaluation.ts";
import { type KeyEntry, type KeyMark, keyOf } from "../words/plot_words.ts";
import type { Tone } from "../words/runs.ts";

const WIDTH = 18;
const HEIGHT = 14;

/** The names of lines and bands above the plot: a band that can be taken off has its switch in its swatch. */
export function createKey(controller: Controller, signal: AbortSignal): Component {
  const element = html("div", { class: "crw-key", "data-testid": "key", role: "group", "aria-label": "Key" });
  let picture: Picture;
  let drawn: KeyEntry[] = [];

  function entryElement({ mark, tone, text, name, isOn }: KeyEntry): HTMLElement {
    const words = html(
      "span",
      { class: `crw-text-${isOn === false ? "muted" : tone === "muted" ? tone : "ink"}` },
      text,
    );
    if (name === undefined) return html("span", { class: `crw-key-${mark}` }, drawing(mark, tone), words);
    const box = html("input", { type: "checkbox", value: name });
    box.checked = isOn ?? false;
    box.addEventListener("change", () => press(name, box), { signal });
    return html("label", {}, box, isOn ? drawing(mark, tone, true) : emptyBox(), words);
  }

  /** One of the band's labels stays on. */
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
    draw(next) {
      picture = next;
      const entries = keyOf(next);
      if (isSameValue(entries, drawn)) return;
      const isSameForm = isSameValue(entries.map(formOf), drawn.map(formOf));
      const focused = isSameForm
        ? [...element.querySelectorAll("input")].findIndex((e) => e.matches(":focus"))
        : -1;
      drawn = entries;
      element.replaceChildren(...rowsOf(entries).map((row) => html("div", {}, ...row.map(entryElement))));
      if (focused >= 0) element.querySelectorAll("input")[focused].focus({ preventScroll: true });
    },
  };
}

/** Other people's bands have a row of their own. */
const rowsOf = (entries: KeyEntry[]) =>
  [entries.filter(({ mark }) => mark !== "edges"), entries.filter(({ mark }) => mark === "edges")].filter(
    (row) => row.length > 0,
  );

const formOf = ({ name, text }: KeyEntry) => [name ?? "", text];

const emptyBox = () =>
  decoration(
    { width: WIDTH, height: HEIGHT },
    svg("rect", { class: "crw-key-box", x: 0.5, y: 0.5, width: WIDTH - 1, height: HEIGHT - 1, rx: 3 }),
  );

function drawing(mark: KeyMark, tone: Tone, isChecked = false): SVGElement {
  const check = svg("path", { class: `crw-key-check crw-text-${tone}`, d: "M5.5 7 8 9.5 13 4.5" });
  return decoration({ width: WIDTH, height: HEIGHT }, ...swatch(mark, tone), ...(isChecked ? [check] : []));
}

function swatch(mark: KeyMark, tone: Tone): SVGElement[] {
  const line = (name: string, d: string) => svg("path", { class: name, d });
  const flat = `M0 ${HEIGHT / 2}H${WIDTH}`;
  const both = `M0 1H${WIDTH}M0 ${HEIGHT - 1}H${WIDTH}`;
  switch (mark) {
    case "curve":
      return [line("crw-curve", flat)];
    case "thin":
      return [line("crw-curve crw-thin", flat)];
    case "chance":
      return [line("crw-chance", flat)];
    case "edges":
      return [line(`crw-limits-line crw-${tone}`, both)];
    case "arc":
      return [
        svg("rect", { class: "crw-key-box", x: 0.5, y: 0.5, width: WIDTH - 1, height: HEIGHT - 1, rx: 3 }),
      ];
    case "band": {
      const name = tone === "ink" ? "crw-neutral" : `crw-${tone}`;
      return [
        svg("rect", { class: `crw-band ${name}`, width: WIDTH, height: HEIGHT }),
        line(`crw-edge ${name}`, both),
      ];
    }
  }
}
