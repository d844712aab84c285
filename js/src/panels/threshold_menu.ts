// Menu of thresholds to jump to.

import { createChanges } from "../base/changes.ts";
import { decoration, html, listen, setText, setVisible, svg, uniqueId } from "../base/dom.ts";
import { thresholdText } from "../base/format.ts";
import { createMenu } from "../base/menu.ts";
import {
  costTarget,
  type RuledThreshold,
  sensitivityTarget,
  specificityTarget,
  youdenTarget,
} from "../evaluation/threshold_rules.ts";
import type { Evaluation } from "../evaluation/types.ts";
import { leastCost } from "../evaluation/use_metrics.ts";

interface Rule {
  name: string;
  /** A figure that the reader may change. */
  figure?: { value: string; max: number; step: number; after: string };
  target(evaluation: Evaluation, figure: number): RuledThreshold | null;
}

const RULES: Rule[] = [
  { name: "Youden’s optimum", target: youdenTarget },
  {
    name: "Sensitivity at least",
    figure: { value: "0.90", max: 1, step: 0.01, after: "" },
    target: sensitivityTarget,
  },
  {
    name: "Specificity at least",
    figure: { value: "0.90", max: 1, step: 0.01, after: "" },
    target: specificityTarget,
  },
  { name: "Cost of FN to FP", figure: { value: "1", max: 1e6, step: 1, after: ": 1" }, target: costTarget },
];

const NOTE =
  "The limits are promised for a threshold drawn at random. One picked from these test points is optimistic.";

/** Thresholds that the observed curve suggests, each with where it lies. */
export function createThresholdMenu(setThreshold: (threshold: number) => void, signal: AbortSignal) {
  const isNews = createChanges();
  let evaluation: Evaluation | null = null;
  const button = html(
    "button",
    { class: "crw-jump", "data-testid": "jump", "aria-haspopup": "dialog" },
    html("span", {}, "Jump to"),
    decoration(
      { class: "crw-icon", width: 8, height: 8, viewBox: "0 0 8 8" },
      svg("path", { d: "M1 2.5l3 3 3-3" }),
    ),
  );
  let use: { cost: number | null; share: number } = { cost: null, share: 0.5 };
  const least: Rule = {
    name: "Least cost",
    target: (curve) => (use.cost === null ? null : leastCost(curve, use.share, use.cost)),
  };
  const [cheapest, ...rows] = [least, ...RULES].map((rule) => createRow(rule, go, () => evaluation, signal));
  const panel = html(
    "div",
    {
      id: uniqueId("crw-jump"),
      class: "crw-panel crw-box crw-jump-panel",
      role: "dialog",
      "aria-label": "Jump to a threshold",
    },
    ...rows.map(({ element }) => element),
  );
  const note = html("p", { class: "crw-small crw-text-muted" }, NOTE);
  panel.append(note);
  const menu = createMenu(button, panel, signal);

  function go(threshold: number) {
    setThreshold(threshold);
    menu.close();
    button.focus();
  }

  return {
    element: menu.element,
    /** Whether a threshold that is picked from the curve has left the promise. */
    warn: (leaves: boolean) => setVisible(note, leaves),
    /** The cost of a miss where the classifier is used, or null, and the share of positives there. */
    setCurve(next: Evaluation, cost: number | null, share: number) {
      if (!isNews(next, cost, share)) return;
      evaluation = next;
      use = { cost, share };
      if (cost === null) cheapest.element.remove();
      else panel.prepend(cheapest.element);
      for (const row of [cheapest, ...rows]) row.update();
    },
  };
}

function createRow(
  { name, figure, target }: Rule,
  go: (threshold: number) => void,
  evaluation: () => Evaluation | null,
  signal: AbortSignal,
) {
  const place = html("span", { class: "crw-jump-place crw-text-muted" });
  const button = html("button", {}, html("span", {}, name), place);
  const element = html("div", { class: "crw-jump-row" }, button);
  const kind = { class: "crw-box", type: "number", min: 0, inputmode: "decimal", "aria-label": name };
  const { after = "", ...range } = figure ?? {};
  const input = figure ? html("input", { ...kind, ...range }) : null;
  if (input)
    element.append(html("span", { class: "crw-jump-figure crw-row" }, input, html("span", {}, after)));

  function found(): RuledThreshold | null {
    const curve = evaluation();
    const value = input ? input.valueAsNumber : 0;
    return curve && value >= 0 && (input === null || value <= Number(input.max))
      ? target(curve, value)
      : null;
  }

  function update() {
    const { threshold } = found() ?? {};
    setText(place, threshold === undefined ? "none" : `λ ${thresholdText(threshold)}`);
    button.setAttribute("aria-disabled", String(threshold === undefined));
  }

  function jump() {
    const { threshold } = found() ?? {};
    if (threshold !== undefined) go(threshold);
  }

  listen(button, "click", signal, jump);
  if (input) listen(input, "input", signal, update);
  if (input)
    listen(input, "keydown", signal, (event) => {
      // The arrows belong to the figure here; only Escape goes on to the menu.
      if (event.key !== "Escape") event.stopPropagation();
      if (event.key !== "Enter") return;
      // The focus goes back to the menu's button, which would take the same key for a press.
      event.preventDefault();
      jump();
    });
  return { element, update };
}
