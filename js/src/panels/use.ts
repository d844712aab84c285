// Figures where the classifier is used, at a share of positives and a cost of a miss.

import { html, listen, setText, setVisible, uniqueId } from "../base/dom.ts";
import { count, fixed, limitsText, percent, rate, thresholdText } from "../base/format.ts";
import { nearestInRatio } from "../base/nearest.ts";
import { fillTable } from "../base/table.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import type { Evaluation, OperatingPoint } from "../evaluation/types.ts";
import {
  expectedCost,
  frequencies,
  leastCost,
  type UseMetric,
  useMetrics,
} from "../evaluation/use_metrics.ts";
import { jointSides } from "../evaluation/vacuous.ts";
import type { Component } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { className, positiveName } from "../words/one_evaluation.ts";
import { createFrequencyDots } from "./frequency_dots.ts";
import { isOverview } from "./panel.ts";

/** Stops of the cost, from 1 to 100 on a log scale. */
const COSTS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];

/** Where the classifier will be used, and its figures there at the threshold: closed until a reader asks. */
export function createUsePanel(controller: Controller, signal: AbortSignal): Component {
  const slider = (name: string, limits: Ends, set: (value: number) => void) =>
    createRange(name, limits, controller, signal, set);
  const share = slider("prevalence", { min: 0.5, max: 99.5, step: 0.5 }, (value) =>
    controller.choose({ prevalence: Number((value / 100).toFixed(3)) }),
  );
  const cost = slider("cost", { min: 0, max: COSTS.length - 1, step: 1 }, (value) =>
    controller.choose({ cost_ratio: COSTS[value] }),
  );
  const own = button("", () => controller.choose({ prevalence: null }));
  const none = button("No cost", () => controller.choose({ cost_ratio: null }));
  const costs = createCosts(button("Jump there", () => controller.jumpTo({ threshold: costs.least() })));
  const sentence = html("p");
  const dots = createFrequencyDots();
  const table = html("table", {
    class: "crw-use-metrics",
    "data-testid": "use-metrics",
    "aria-label": "All figures at the threshold",
  });
  const title = html("span");
  const element = html(
    "details",
    { class: "crw-use", "data-testid": "use" },
    html("summary", {}, title),
    html("div", { class: "crw-use-row crw-row" }, share.element, own),
    html("div", { class: "crw-use-row crw-row" }, cost.element, none),
    sentence,
    ...[dots.element, costs.element, table],
    html("p", { class: "crw-footnote" }, "Ranges are computed from both limits together: no guarantee"),
  );

  function button(text: string, press: () => void): HTMLButtonElement {
    const made = html("button", { class: "crw-link" }, text);
    listen(made, "click", signal, press);
    return made;
  }

  return {
    element,
    draw(picture) {
      const { evaluation, frame, wanted, prevalence } = picture;
      setVisible(element, !isOverview(picture));
      if (isOverview(picture)) return;
      const test = ownPrevalence(evaluation);
      const at = prevalence ?? test;
      const name = positiveName(picture);
      const shareText = percent(Number(at.toFixed(3)));
      setText(
        title,
        `Where it is used: ${shareText} ${name}${picture.cost_ratio === null ? "" : `, a miss costs ${picture.cost_ratio} ×`}`,
      );
      if (!(element as HTMLDetailsElement).open) return;
      share.draw(`Share ${name} where it is used`, 100 * at, shareText);
      setText(own, `${percent(Number(test.toFixed(3)))} in this test set`);
      setVisible(own, prevalence !== null);
      const stop = nearestInRatio(COSTS, picture.cost_ratio ?? 1);
      const costText = picture.cost_ratio === null ? "not set" : `${picture.cost_ratio} ×`;
      cost.draw("A miss costs so many false alarms", stop, costText);
      const point = operatingPointAt(evaluation, frame, wanted.threshold);
      const found = frequencies(point, at);
      const { tp, fn, fp } = found;
      setText(
        sentence,
        `Where ${shareText} are ${name}, of 1,000 such cases ${count(tp + fp)} are called ${name}, ${count(tp)} of them rightly; ${count(fn)} are missed.`,
      );
      dots.draw(found, [className(0, evaluation.classes), name]);
      setVisible(none, picture.cost_ratio !== null);
      costs.draw(evaluation, point, at, picture.cost_ratio);
      const metrics = useMetrics(point, at, jointSides(frame));
      fillTable(table, [["", "observed", `ideal, ${percent(1 - frame.alpha)}`], ...metrics.map(textsOf)]);
    },
  };
}

/** What the threshold costs, where a miss has a cost, and the way to the threshold that costs least. */
function createCosts(jump: HTMLElement) {
  let least = 0.5;
  const words = html("p", { class: "crw-text-muted" });
  const element = html("p", { class: "crw-use-cost crw-use-row crw-row" }, words, jump);
  return {
    element,
    least: () => least,
    draw(evaluation: Evaluation, point: OperatingPoint, at: number, ratio: number | null) {
      for (const part of [words, jump]) setVisible(part, ratio !== null);
      if (ratio === null) return;
      const { vertex, threshold } = leastCost(evaluation, at, ratio);
      least = threshold;
      const best = { tpr: evaluation.tpr[vertex], fpr: evaluation.fpr[vertex] };
      const per = (of: Pick<OperatingPoint, "tpr" | "fpr">) =>
        count(Math.round(1000 * expectedCost(of, at, ratio)));
      setText(
        words,
        `Expected cost, in false alarms: ${per(point)} per 1,000; least on these test points ${per(best)}, at ` +
          `threshold ${thresholdText(threshold)}. On the ROC curve the dashed line has the same cost, the diamond the least.`,
      );
    },
  };
}

const textsOf = ({ name, observed, range: limits, sides, scale }: UseMetric): string[] => [
  name,
  Number.isNaN(observed) ? "undefined" : rate(observed),
  limits ? limitsText(...limits, sides, scale) : "no range",
];

type Ends = Record<"min" | "max" | "step", number>;

/** A named range with its value in words; the browser gives it keys. */
function createRange(
  name: string,
  ends: Ends,
  controller: Controller,
  signal: AbortSignal,
  set: (value: number) => void,
) {
  const id = uniqueId(`crw-${name}`);
  const input = html("input", { type: "range", id, ...ends, "data-testid": name });
  const label = html("label", { for: id });
  const value = html("b");
  let grasp: "none" | "pressed" | "held" = "none";
  listen(input, "pointerdown", signal, () => (grasp = "pressed"));
  listen(input, "input", signal, () => {
    if (grasp === "pressed") {
      grasp = "held";
      controller.hold();
    }
    set(Number(input.value));
  });
  const release = () => {
    if (grasp === "held") controller.release();
    grasp = "none";
  };
  listen(input, "change", signal, release);
  signal.addEventListener("abort", release);
  return {
    element: html("div", { class: "crw-use-range" }, label, value, input),
    draw(text: string, at: number, words: string) {
      setText(label, text);
      setText(value, words);
      if (Number(input.value) !== at) input.value = fixed(at, 3);
      input.setAttribute("aria-valuetext", words);
    },
  };
}
