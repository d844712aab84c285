import { hasLimits } from "../band.ts";
import type { Controller } from "../controller.ts";
import { html } from "../dom.ts";
import { count, ordinal, percent, percentDown, signed, significance } from "../format.ts";
import type { Part } from "../part.ts";
import { alphaScale, alphaSteps } from "../scale.ts";
import { createSlider } from "../slider.ts";
import { alphaValueText, confidence, LABELS, type Label, TONES, tooFewPoints } from "../text.ts";
import type { Evaluation, Frame } from "../wire.ts";
import { headingRow, moduleFrame, rowHeading } from "./module.ts";

/** Significance: its slider, and what it picks among the calibration residuals of each label. */
export function createSignificance(controller: Controller, signal: AbortSignal): Part {
  const slider = createSlider(
    {
      name: "alpha",
      label: "Significance α",
      scale: alphaScale,
      steps: alphaSteps,
      tickText: String,
      valueText: alphaValueText,
      set: (alpha) => controller.setAlpha(alpha),
    },
    controller,
    signal,
  );
  const rows = html("tbody");
  const table = html(
    "table",
    { class: "crw-order-statistics" },
    html(
      "caption",
      {},
      "Limits among the calibration residuals, ",
      html("span", { class: "crw-unbroken" }, "logit π̃ − logit p"),
    ),
    html("thead", {}, headingRow("Residual", "n", "lower", "upper", "coverage")),
    rows,
  );
  const module = moduleFrame("Significance α", slider.element, table);
  let drawn: Frame | null = null;

  return {
    element: module.element,
    draw({ evaluation, frame, wanted }) {
      module.setValue(significance(wanted.alpha), confidence(wanted.alpha));
      slider.draw(wanted.alpha, { below: Math.max(...evaluation.vacuousBelow), text: tooFewPoints(frame) });
      if (frame === drawn) return;
      drawn = frame;
      rows.replaceChildren(...LABELS.map((label) => row(label, evaluation, frame)));
    },
  };
}

function row(label: Label, evaluation: Evaluation, frame: Frame): HTMLElement {
  const [words, share] = hasLimits(frame, label)
    ? ["at least ", percentDown(frame.guaranteed[label])]
    : ["too few for ", percent(1 - frame.alpha)];
  return html(
    "tr",
    {},
    rowHeading(label, evaluation.classes),
    html("td", {}, count(evaluation.nCalibration[label])),
    ...orderStatistics(label, frame),
    html("td", {}, words, html("span", { class: "crw-unbroken" }, share)),
  );
}

function orderStatistics(label: Label, frame: Frame): HTMLElement[] {
  if (frame.orderStatistics === null) return [html("td", { colspan: 2 }, "a pair for each test point")];
  return frame.orderStatistics[label].map(({ rank, residual }) => {
    const value = html("b", { class: `crw-unbroken crw-text-${TONES[label]}` }, signed(residual));
    return Number.isFinite(residual) ? html("td", {}, `${ordinal(rank)} `, value) : html("td", {}, value);
  });
}
