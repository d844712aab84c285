// Shows metrics for the place where the classifier will be used, at the prevalence and the cost of a miss there.

import { html as element, setVisible, uniqueId } from "../base/dom.ts";
import { count, fixed, isOrAre, limitsText, percent, rate, thresholdText } from "../base/format.ts";
import { nearestInRatio } from "../base/nearest.ts";
import { tableRows } from "../base/table.ts";
import { html, nothing, render, unbroken } from "../base/template.ts";
import { words } from "../base/words.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import type { Evaluation, Frame, OperatingPoint } from "../evaluation/types.ts";
import { expectedCost, frequencies, leastCost, useMetrics } from "../evaluation/use_metrics.ts";
import { jointSides } from "../evaluation/vacuous.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { className, positiveName } from "../words/one_evaluation.ts";
import { frequencyDots } from "./frequency_dots.ts";
import { isOverview } from "./panel.ts";

/** The costs of a miss that the user can set. Their steps are about equal on a log scale. */
const COSTS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];

/**
 * Makes the fold with the metrics at the threshold for the place where the classifier will be used. At first it is
 * closed.
 */
export function createUsePanel(controller: Controller, signal: AbortSignal): Component {
  const details = element("details", { class: "crw-use", "data-testid": "use" });
  const share = createRange("prevalence", [0.5, 99.5, 0.5], controller, signal, (value) =>
    controller.choose({ prevalence: Number((value / 100).toFixed(3)) }),
  );
  const cost = createRange("cost", [0, COSTS.length - 1, 1], controller, signal, (stop) =>
    controller.choose({ cost_ratio: COSTS[stop] }),
  );

  function figuresOfUse(picture: Picture) {
    const { evaluation, frame, wanted, prevalence, cost_ratio: ratio } = picture;
    const test = ownPrevalence(evaluation);
    const at = prevalence ?? test;
    const name = positiveName(picture);
    const shareText = percent(Number(at.toFixed(3)));
    const point = operatingPointAt(evaluation, frame, wanted.threshold);
    const found = frequencies(point, at);
    const { tp, fn, fp } = found;
    return html`
      <summary>${unbroken(`Where it is used: ${shareText} ${name}${ratio === null ? "" : `, a miss costs ${ratio} ×`}`)}</summary>
      <div class="crw-use-row crw-row">
        ${share(`Share ${name} where it is used`, shareText, 100 * at)}
        ${link(prevalence !== null, `${percent(Number(test.toFixed(3)))} in this test set`, () => controller.choose({ prevalence: null }))}
      </div>
      <div class="crw-use-row crw-row">
        ${cost("A miss costs so many false alarms", ratio === null ? "not set" : `${ratio} ×`, nearestInRatio(COSTS, ratio ?? 1))}
        ${link(ratio !== null, "No cost", () => controller.choose({ cost_ratio: null }))}
      </div>
      <p>${unbroken(
        `Where ${shareText} are ${name}, of 1,000 such cases ${count(tp + fp)} ${isOrAre(tp + fp)} called ${name}, ${count(tp)} of them rightly; ${count(fn)} ${isOrAre(fn)} missed.`,
      )}</p>
      ${frequencyDots(found, [className(0, evaluation.classes), name])}
      ${ratio === null ? nothing : costs(evaluation, point, at, ratio, (threshold) => controller.jumpTo({ threshold }))}
      ${metricsTable(point, at, frame)}
      <p class="crw-footnote">${words("answer.no_guarantee")}</p>`;
  }

  return {
    element: details,
    draw(picture) {
      setVisible(details, !isOverview(picture));
      if (!isOverview(picture)) render(figuresOfUse(picture), details);
    },
  };
}

const link = (isThere: boolean, text: string, press: () => void) =>
  html`<button type="button" class="crw-link" ?hidden=${!isThere} @click=${press}>${unbroken(text)}</button>`;

/** Returns the expected cost at the threshold, and a button that sets the threshold with the lowest cost. */
function costs(
  evaluation: Evaluation,
  point: OperatingPoint,
  at: number,
  ratio: number,
  jump: (threshold: number) => void,
) {
  const { vertex, threshold } = leastCost(evaluation, at, ratio);
  const best = { tpr: evaluation.tpr[vertex], fpr: evaluation.fpr[vertex] };
  const per = (of: Pick<OperatingPoint, "tpr" | "fpr">) =>
    count(Math.round(1000 * expectedCost(of, at, ratio)));
  return html`<p class="crw-use-cost crw-use-row crw-row">
    <span class="crw-text-muted">Expected cost, in false alarms: ${per(point)} per 1,000; least on these test points ${per(best)}, at threshold ${thresholdText(threshold)}. On the ROC curve the dashed line has the same cost, the diamond the least.</span>
    ${link(true, "Jump there", () => jump(threshold))}
  </p>`;
}

/** Returns the table of all metrics and their ranges. */
function metricsTable(point: OperatingPoint, at: number, frame: Frame) {
  const rows = useMetrics(point, at, jointSides(frame)).map(({ name, observed, range, sides, scale }) => [
    name,
    Number.isNaN(observed) ? "undefined" : rate(observed),
    range ? limitsText(...range, sides, scale) : "no range",
  ]);
  return html`<table class="crw-use-metrics" data-testid="use-metrics" aria-label="All figures at the threshold">
    ${tableRows([["", "observed", `ideal, ${percent(1 - frame.alpha)}`], ...rows])}
  </table>`;
}

/** Makes a range input with a name and its value in words. The browser handles its keys. */
function createRange(
  name: string,
  [min, max, step]: readonly number[],
  controller: Controller,
  signal: AbortSignal,
  set: (value: number) => void,
) {
  const id = uniqueId(`crw-${name}`);
  let grasp: "none" | "pressed" | "held" = "none";
  const press = () => {
    grasp = "pressed";
  };
  const move = (event: Event) => {
    if (grasp === "pressed") {
      grasp = "held";
      controller.hold();
    }
    set((event.target as HTMLInputElement).valueAsNumber);
  };
  const release = () => {
    if (grasp === "held") controller.release();
    grasp = "none";
  };
  signal.addEventListener("abort", release);
  return (text: string, valueText: string, at: number) => html`<div class="crw-use-range">
    <label for=${id}>${text}</label><b>${unbroken(valueText)}</b>
    <input type="range" id=${id} data-testid=${name} min=${min} max=${max} step=${step} .value=${fixed(at, 3)}
      aria-valuetext=${valueText} @pointerdown=${press} @input=${move} @change=${release}>
  </div>`;
}
