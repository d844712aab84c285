import { operatingPointAt } from "../band.ts";
import type { Controller } from "../controller.ts";
import { html } from "../dom.ts";
import { count, rate } from "../format.ts";
import type { Part } from "../part.ts";
import { thresholdScale, thresholdSteps } from "../scale.ts";
import { createSlider } from "../slider.ts";
import { LABELS, type Label } from "../text.ts";
import type { Confusion, Evaluation } from "../wire.ts";
import { headingRow, moduleFrame, rowHeading } from "./module.ts";

/** How the test points of a label are counted: called positive, called negative. */
const COUNTS: Record<Label, [keyof Confusion, keyof Confusion]> = { 1: ["tp", "fn"], 0: ["fp", "tn"] };
const CORRECT = ["tp", "tn"];

/** Threshold: its slider, and how the test points of each label fall on its two sides. */
export function createThreshold(controller: Controller, signal: AbortSignal): Part {
  const slider = createSlider(
    {
      name: "threshold",
      label: "Threshold λ",
      scale: thresholdScale,
      steps: thresholdSteps,
      tickText: String,
      valueText: rate,
      set: (threshold) => controller.setThreshold(threshold),
    },
    controller,
    signal,
  );
  const head = html("thead");
  const rows = html("tbody");
  const table = html("table", { class: "crw-counts" }, head, rows);
  const module = moduleFrame("Threshold λ", slider.element, table);

  return {
    element: module.element,
    draw({ evaluation, frame, wanted }) {
      const threshold = rate(wanted.threshold);
      module.setValue(threshold, "");
      slider.draw(wanted.threshold);
      const point = operatingPointAt(evaluation, frame, wanted.threshold);
      head.replaceChildren(headingRow("Test points", `p ≥ ${threshold}`, `p < ${threshold}`));
      rows.replaceChildren(...LABELS.map((label) => row(label, evaluation, point)));
    },
  };
}

function row(label: Label, { classes }: Evaluation, confusion: Confusion): HTMLElement {
  return html(
    "tr",
    { class: `crw-label${label}` },
    rowHeading(label, classes),
    ...COUNTS[label].map((name) =>
      html(
        "td",
        CORRECT.includes(name) ? { class: "crw-correct" } : {},
        html("span", {}, name.toUpperCase()),
        " ",
        html("b", {}, count(confusion[name])),
      ),
    ),
  );
}
