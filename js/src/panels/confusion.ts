import { html, setAttributes, setText, setVisible } from "../base/dom.ts";
import { count, limitsText, percent, rate, thresholdText } from "../base/format.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { idealMetrics, type Metric, metricsOf } from "../evaluation/metrics.ts";
import {
  type Confusion,
  type Evaluation,
  type Frame,
  LABELS,
  type Label,
  type OperatingPoint,
} from "../evaluation/types.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import type { Tone } from "../words/runs.ts";
import { isOverview, rowHeading } from "./panel.ts";
import { createWhisker } from "./whisker.ts";

/** Cells of the confusion table, called and not called, by label. */
export const CELLS: Record<Label, [keyof Confusion, keyof Confusion]> = { 1: ["tp", "fn"], 0: ["fp", "tn"] };
const CORRECT = ["tp", "tn"];
/** So many points of a label may take five digits, which need the whole width. */
const LONG_COUNT = 10000;

const NAMES: Record<Metric["name"], string> = {
  sensitivity: "Sensitivity",
  specificity: "Specificity",
  precision: "Precision*",
  youden: "Youden’s J*",
  auc: "AUC†",
  gain: "Gain left",
};
/** Beside an ideal model's own curve. */
const IDEAL_NAMES = { ...NAMES, sensitivity: "Sensitivity*", auc: "AUC" };
const TONES: Record<Metric["name"], Tone> = {
  sensitivity: "label1",
  specificity: "label0",
  precision: "muted",
  youden: "muted",
  auc: "muted",
  gain: "label1",
};

/** The operating point where the reader wants it. */
interface At {
  threshold: number;
  point: OperatingPoint;
}

/** Of ranges that are made from both intervals; those of an ideal recalibration hold together. */
const FOOTNOTES: Partial<Record<Frame["kind"], string>> = {
  simultaneous: "* from both intervals, which hold together: at the same level; † range with ties",
  everywhere: "*, † from both limits, which hold together: at the same level",
};
const NO_GUARANTEE =
  "* computed from both limits together: no guarantee; † range that the intervals allow, no confidence interval";

/** The confusion table at the threshold, and what follows from it: observed, and for the ideal model. */
export function createConfusionPanel(controller: Controller, signal: AbortSignal): Component {
  const confusion = createConfusion((name) => controller.select(name), signal);
  const metrics = createMetrics();
  const footnote = html("p", { class: "crw-footnote" });
  const element = html(
    "section",
    { class: "crw-module crw-results", "aria-label": "Test points at the threshold" },
    html("div", { class: "crw-counts-block" }, confusion.element, footnote),
    metrics.element,
  );
  return {
    element,
    draw(picture, width) {
      const { evaluation, frame, wanted } = picture;
      setVisible(element, !isOverview(picture));
      if (isOverview(picture)) return;
      const { threshold } = wanted;
      const at = { threshold, point: operatingPointAt(evaluation, frame, threshold) };
      confusion.draw(evaluation, at, evaluation.selectable && picture.source !== "static");
      const ideal = typeof picture.ideal === "string" ? null : picture.ideal;
      const note = ideal && `* at false positive rate ${rate(at.point.fpr)}; credible, not conformal`;
      setText(footnote, note ?? FOOTNOTES[frame.kind] ?? NO_GUARANTEE);
      if (ideal) metrics.draw(idealMetrics(ideal, evaluation.auc, at.point), ideal.alpha, true);
      else metrics.draw(metricsOf(evaluation, frame, at.point), frame.alpha, false);
      const isLong = Math.max(...evaluation.nTest) >= LONG_COUNT;
      element.classList.toggle("crw-stacked", width !== "wide" || isLong);
    },
  };
}

/** Where the kernel can select rows, a cell is pressed for its own. */
function createConfusion(select: (name: keyof Confusion) => void, signal: AbortSignal) {
  const positive = html("th", { scope: "col" });
  const negative = html("th", { scope: "col" });
  const corner = html("th", { scope: "col" }, html("span", { class: "crw-unseen" }, "Test points"));
  const body = html("tbody");
  const numbers = new Map<keyof Confusion, HTMLElement>();
  let isOffered = false;
  let classes: Evaluation["classes"] | null = null;

  function cell(name: keyof Confusion): HTMLElement {
    const number = html("b");
    numbers.set(name, number);
    const content = [html("span", {}, name.toUpperCase()), " ", number];
    const td = html("td", CORRECT.includes(name) ? { class: "crw-correct" } : {});
    if (!isOffered) {
      td.append(...content);
      return td;
    }
    const title = "Select these rows in Python";
    const press = html("button", { class: "crw-cell", "data-testid": `select-${name}`, title }, ...content);
    press.addEventListener("click", () => select(name), { signal });
    td.append(press);
    return td;
  }

  function build(evaluation: Evaluation, canSelect: boolean) {
    if (classes === evaluation.classes && isOffered === canSelect) return;
    classes = evaluation.classes;
    isOffered = canSelect;
    body.replaceChildren(
      ...LABELS.map((label) =>
        html(
          "tr",
          { class: `crw-label${label}` },
          rowHeading(label, evaluation.classes),
          ...CELLS[label].map(cell),
        ),
      ),
    );
  }

  return {
    element: html(
      "table",
      { class: "crw-counts", "aria-label": "Confusion table" },
      html("thead", {}, html("tr", {}, corner, positive, negative)),
      body,
    ),
    draw(evaluation: Evaluation, { threshold, point }: At, canSelect: boolean) {
      build(evaluation, canSelect);
      setText(positive, `p ≥ ${thresholdText(threshold)}`);
      setText(negative, `p < ${thresholdText(threshold)}`);
      for (const [name, number] of numbers) setText(number, count(point[name]));
    },
  };
}

function createMetrics() {
  const level = html("th", { scope: "col" });
  const body = html("tbody");
  let rows: ReturnType<typeof createMetric>[] = [];
  let drawnIdeal: boolean | null = null;
  return {
    element: html(
      "table",
      { class: "crw-metrics", "data-testid": "metrics", "aria-label": "Figures at the threshold" },
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          html("th", { scope: "col", colspan: 2 }, "observed"),
          html("td", { class: "crw-bar-cell" }),
          level,
        ),
      ),
      body,
    ),
    draw(metrics: Metric[], alpha: number, isIdeal: boolean) {
      if (isIdeal !== drawnIdeal) {
        drawnIdeal = isIdeal;
        rows = metrics.map(({ name }) => createMetric(name, isIdeal));
        body.replaceChildren(...rows.map(({ element }) => element));
      }
      setText(level, `ideal, ${percent(1 - alpha)}`);
      metrics.forEach((metric, i) => {
        rows[i].draw(metric);
      });
    },
  };
}

function createMetric(name: Metric["name"], isIdeal: boolean) {
  const observed = html("td", { class: "crw-observed" });
  const ideal = html("td", { class: "crw-ideal" });
  const whisker = createWhisker(isIdeal ? "label1" : TONES[name]);
  const barCell = html("td", { class: "crw-bar-cell" }, whisker.element);
  return {
    element: html(
      "tr",
      {},
      html("th", { scope: "row" }, (isIdeal ? IDEAL_NAMES : NAMES)[name]),
      observed,
      barCell,
      ideal,
    ),
    draw(metric: Metric) {
      const { range: limits, sides, observed: value, scale } = metric;
      const isUndefined = value === null && name !== "gain";
      setText(observed, isUndefined ? "none called positive" : value === null ? "" : rate(value));
      observed.classList.toggle("crw-undefined", isUndefined);
      // The words take the place of the bar.
      setAttributes(observed, { colspan: isUndefined ? 2 : 1 });
      setVisible(barCell, !isUndefined);
      setText(ideal, limitsText(...limits, sides));
      if (!isUndefined) whisker.draw(value, limits, sides, scale);
    },
  };
}
