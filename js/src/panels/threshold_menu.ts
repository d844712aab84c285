// Menu of thresholds to jump to.

import { createChanges } from "../base/changes.ts";
import { decoration, html, listen, setText, setVisible, svg, uniqueId } from "../base/dom.ts";
import { rate as rateText, thresholdText } from "../base/format.ts";
import { createMenu } from "../base/menu.ts";
import { type KeptRate, populationThreshold } from "../evaluation/population_threshold.ts";
import {
  costTarget,
  type RuledThreshold,
  sensitivityTarget,
  specificityTarget,
  youdenTarget,
} from "../evaluation/threshold_rules.ts";
import type { Evaluation, PopulationWish } from "../evaluation/types.ts";
import { leastCost } from "../evaluation/use_metrics.ts";
import { noneText, sureText } from "../words/kept.ts";

interface Rule {
  name: string;
  /** A figure that the reader may change. */
  figure?: { value: string; max: number; step: number; after: string };
  target(evaluation: Evaluation, figure: number): RuledThreshold | null;
  /** The rate that a second row keeps in the population. */
  kept?: KeptRate;
}

const RULES: Rule[] = [
  { name: "Youden’s optimum", target: youdenTarget },
  {
    name: "Sensitivity at least",
    figure: { value: "0.90", max: 1, step: 0.01, after: "" },
    target: sensitivityTarget,
    kept: "sensitivity",
  },
  {
    name: "Specificity at least",
    figure: { value: "0.90", max: 1, step: 0.01, after: "" },
    target: specificityTarget,
    kept: "specificity",
  },
  { name: "Cost of FN to FP", figure: { value: "1", max: 1e6, step: 1, after: ": 1" }, target: costTarget },
];

const NOTE =
  "The limits are promised for a threshold drawn at random. One picked from these test points is optimistic.";

/** What the rows look at. */
interface Looked {
  evaluation: Evaluation;
  alpha: number;
}

/** Thresholds that the observed curve suggests, each with where it lies; a wish may be kept in the population. */
export function createThresholdMenu(
  setThreshold: (threshold: number, wish?: PopulationWish) => void,
  signal: AbortSignal,
) {
  const isNews = createChanges();
  let looked: Looked | null = null;
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
  const [cheapest, ...rows] = [least, ...RULES].flatMap((rule) => rowsOf(rule, go, () => looked, signal));
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

  function go(threshold: number, wish?: PopulationWish) {
    setThreshold(threshold, wish);
    menu.close();
    button.focus();
  }

  return {
    element: menu.element,
    /** Opens it at the thresholds that keep a rate in the population. */
    openAtKept: () =>
      menu.open(() => [
        ...panel.querySelectorAll<HTMLButtonElement>(".crw-jump-row:not([hidden]) > .crw-jump-kept"),
      ]),
    /** Whether a threshold that is picked from the curve has left the promise. */
    warn: (leaves: boolean) => setVisible(note, leaves),
    /** The cost of a miss where the classifier is used, or null, and the share of positives there. */
    setCurve(evaluation: Evaluation, alpha: number, cost: number | null, share: number) {
      if (!isNews(evaluation, alpha, cost, share)) return;
      looked = { evaluation, alpha };
      use = { cost, share };
      if (cost === null) cheapest.element.remove();
      else panel.prepend(cheapest.element);
      for (const row of [cheapest, ...rows]) row.update();
    },
  };
}

type Go = (threshold: number, wish?: PopulationWish) => void;

/** The row of a rule and, for a rate, one that keeps it in the population. */
function rowsOf(rule: Rule, go: Go, looked: () => Looked | null, signal: AbortSignal) {
  const { kept } = rule;
  const row = createRow(rule, go, () => looked()?.evaluation ?? null, signal);
  if (kept === undefined) return [row];
  const wish = () => ({ rate: kept, least: row.figure() });
  const second = createKeptRow(wish, go, looked, signal);
  row.onFigure(second.update);
  return [row, second];
}

/** The wish of the row above, kept in the population at the confidence of its slider. */
function createKeptRow(wish: () => PopulationWish, go: Go, looked: () => Looked | null, signal: AbortSignal) {
  const words = html("span");
  const place = html("span", { class: "crw-jump-place crw-text-muted" });
  const button = html("button", { class: "crw-jump-kept" }, words, place);
  const element = html("div", { class: "crw-jump-row" }, button);

  function found(): RuledThreshold | null {
    const at = looked();
    const { least } = wish();
    return at && least >= 0 && least <= 1 ? populationThreshold(at.evaluation, wish(), at.alpha) : null;
  }

  function update() {
    const at = looked();
    setVisible(element, at !== null && !at.evaluation.weighted);
    if (at === null || at.evaluation.weighted) return;
    const target = found();
    setText(words, sureText(at.alpha));
    // What is no rate has its word in the row above.
    const absence = wish().least <= 1 ? "none" : "";
    setText(place, target === null ? absence : `λ ${thresholdText(target.threshold)}`);
    button.setAttribute("aria-disabled", String(target === null));
    button.setAttribute("aria-label", `${sureText(at.alpha)}: ${wish().rate} of ${rateText(wish().least)}`);
    button.title = target === null && wish().least > 0 ? noneText(at.evaluation, wish(), at.alpha) : "";
  }

  listen(button, "click", signal, () => {
    const target = found();
    if (target !== null) go(target.threshold, wish());
  });
  return { element, update };
}

function createRow(
  { name, figure, target }: Rule,
  go: Go,
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
  let told = () => {};
  if (input)
    listen(input, "input", signal, () => {
      update();
      told();
    });
  if (input)
    listen(input, "keydown", signal, (event) => {
      // The arrows belong to the figure here; only Escape goes on to the menu.
      if (event.key !== "Escape") event.stopPropagation();
      if (event.key !== "Enter") return;
      // The focus goes back to the menu's button, which would take the same key for a press.
      event.preventDefault();
      jump();
    });
  return {
    element,
    update,
    /** The figure that the reader has set. */
    figure: () => input?.valueAsNumber ?? Number.NaN,
    onFigure(next: () => void) {
      told = next;
    },
  };
}
