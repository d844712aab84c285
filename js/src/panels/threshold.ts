import { createDisclosure } from "../base/disclosure.ts";
import { html, setText, setVisible } from "../base/dom.ts";
import { count, thresholdText } from "../base/format.ts";
import { expit, logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, clamp, logOddsSteps, thresholdSteps } from "../base/scale.ts";
import type { Width } from "../base/width.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { calibrationBand, heldScores } from "../evaluation/calibration_band.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import { youdenTarget } from "../evaluation/threshold_rules.ts";
import { type Evaluation, type Frame, LABELS, type Label, type OrderStatistic } from "../evaluation/types.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import type { Controller } from "../sync/controller.ts";
import { hasCuts, leadOf } from "../sync/cuts.ts";
import type { Picture } from "../sync/view_model.ts";
import { className } from "../words/one_evaluation.ts";
import { CELLS, createConfusionPanel } from "./confusion.ts";
import { marksOf } from "./dotplot.ts";
import {
  DEFAULT_TRACK,
  disclosureWidth,
  isFolded,
  isOverview,
  type Panel,
  panelFrame,
  watchWidth,
} from "./panel.ts";
import { createSlider, tickElement } from "./slider.ts";
import { createGutter, createStrip, type Strip, stripSize } from "./strip.ts";
import { fittingTicks, scoreAxis, scoreTick } from "./strip_axis.ts";
import { createThresholdMenu } from "./threshold_menu.ts";

/** Threshold: its slider, how the test points of each label fall on its two sides, and what comes of it. */
export function createThreshold(controller: Controller, signal: AbortSignal): Panel {
  const slider = createSlider(
    {
      name: "threshold",
      label: "Threshold λ",
      valueText: thresholdText,
      set: (threshold) => controller.setThreshold(threshold),
    },
    controller,
    signal,
  );
  const rows = LABELS.map((label) => ({
    label,
    gutter: createGutter(label),
    strip: createStrip(label, `score-strip-${label}`),
  }));
  const line = html("div", { class: "crw-threshold-line" });
  const rod = html("div", { class: "crw-threshold-rod", "aria-hidden": "true" }, line);
  const ticks = html("div", { class: "crw-ticks", "aria-hidden": "true" });
  const shadeWords = html("span", { class: "crw-shade-words" });
  const scaleName = html("span");
  const axisName = html("div", { class: "crw-axis-name" }, html("span", {}, "Test score p"), scaleName);
  const axisElement = html("div", { class: "crw-strip-axis" }, ticks, shadeWords);
  const strips = [
    ...rows.flatMap(({ gutter, strip }) => [gutter.element, strip.element]),
    axisName,
    axisElement,
  ];
  const jump = createThresholdMenu((threshold) => controller.jumpTo({ threshold }), signal);
  const panel = panelFrame("threshold", "Threshold", rod, slider.element, jump.element, ...strips);
  const confusion = createConfusionPanel(controller, signal);
  const element = html("div", { class: "crw-threshold-modules" }, panel.element, confusion.element);
  const disclosures = [
    createDisclosure("Test scores", "crw-threshold", panel.element, [rod, ...strips]),
    createDisclosure("Confusion table", "crw-folded-results", element, [confusion.element]),
  ];

  let trackWidth = DEFAULT_TRACK;
  let axis: Axis;
  let youden = 0;
  let laidOut: { evaluation: Evaluation; width: number; alone: boolean } | null = null;
  let last: [Picture, Width] | null = null;

  /** A slider without strips under it has the texts of the axis itself. */
  function layOut(evaluation: Evaluation, alone: boolean) {
    if (laidOut?.evaluation === evaluation && laidOut.width === trackWidth && laidOut.alone === alone) return;
    laidOut = { evaluation, width: trackWidth, alone };
    const size = stripSize(trackWidth);
    axis = scoreAxis(evaluation);
    youden = youdenTarget(evaluation).threshold;
    const axisTicks = fittingTicks(axis, trackWidth, scoreTick);
    slider.setTrack({
      scale: axis,
      steps: axis.kind === "log-odds" ? logOddsSteps : thresholdSteps,
      ticks: alone ? axisTicks : axisTicks.map((tick) => ({ ...tick, text: "" })),
      width: trackWidth,
    });
    ticks.replaceChildren(...axisTicks.map((tick) => tickElement(tick, trackWidth)));
    setText(scaleName, axis.kind === "log-odds" ? "log-odds" : "");
    const marks = marksOf(
      rows.map(({ label }) => evaluation.scores[label]),
      axis.toFraction,
      size,
    );
    rows.forEach(({ label, gutter, strip }, i) => {
      strip.layOut(marks[i], size, null);
      gutter.setName(className(label, evaluation.classes));
      const { n, values } = evaluation.scores[label];
      strip.setRemark(n > 0 && values.length === 0 ? "this file holds no scores" : "", false);
    });
  }

  function draw(picture: Picture, width: Width) {
    last = [picture, width];
    const { evaluation, wanted } = picture;
    const overview = isOverview(picture);
    layOut(evaluation, overview || isFolded(picture, width));
    panel.element.classList.toggle("crw-overview", overview);
    panel.setValue(thresholdText(wanted.threshold));
    slider.draw(
      wanted.threshold,
      overview ? {} : { mark: { at: youden, text: `Youden ${thresholdText(youden)}` } },
    );
    for (const element of [...strips, rod, jump.element]) setVisible(element, !overview);
    if (overview) return;
    jump.warn(!isForEveryThreshold(picture.frame));
    jump.setCurve(evaluation, picture.cost, picture.prevalence ?? ownPrevalence(evaluation));
    line.style.left = `${100 * clamp(axis.toFraction(wanted.threshold), 0, 1)}%`;
    for (const { label, strip } of rows) {
      // Scores are sent as the nearest 32-bit floats; so is the threshold read here.
      strip.split(Math.fround(wanted.threshold), Number.POSITIVE_INFINITY);
      drawShade(strip, label, picture, axis, trackWidth);
    }
    setText(shadeWords, axisWords(picture, axis, width));
  }

  function drawTexts(picture: Picture, width: Width) {
    confusion.draw(picture, width);
    const { evaluation, frame, wanted, group } = picture;
    const isOfLead = hasCuts(group) && picture.page.alike;
    const remark = isOfLead ? `of ${group.entries[leadOf(picture)].name}` : REMARKS[group.kind];
    panel.setRemark(isOverview(picture) ? remark : "");
    const point = operatingPointAt(evaluation, frame, wanted.threshold);
    const counts = (label: Label) =>
      CELLS[label].map((name) => `${name.toUpperCase()} ${count(point[name])}`);
    for (const { label, gutter } of rows) gutter.setFacts(...counts(label));
    const remarks = isOverview(picture)
      ? ["", ""]
      : [`${count(evaluation.nTest[0] + evaluation.nTest[1])} points`, LABELS.flatMap(counts).join(", ")];
    disclosures.forEach((disclosure, i) => {
      disclosure.take(isFolded(picture, width), remarks[i], disclosureWidth(trackWidth, width));
    });
  }

  watchWidth(
    slider.element,
    (width) => {
      if (width === trackWidth) return;
      trackWidth = width;
      if (last === null) return;
      draw(...last);
      drawTexts(...last);
    },
    signal,
  );
  const texts = { element: confusion.element, draw: drawTexts };
  return { element, texts, disclosures: disclosures.map((disclosure) => disclosure.element), draw };
}

/** Below the axis: beside the gutter what the shade is, without it also what the axis is. */
function axisWords(
  { frame: { orderStatistics: pooled, kind }, evaluation, ideal }: Picture,
  { kind: scale }: Axis,
  width: Width,
): string {
  const orderStatistics = ideal === null ? pooled : null;
  if (evaluation.recalibration && ideal === null) return "In the shade, the band holds the threshold";
  if (kind === "everywhere" && ideal === null && width === "wide")
    return "In the shade, as many as the limits leave open";
  if (width === "wide") {
    return orderStatistics ? "In the shade, a point’s interval crosses the threshold" : "";
  }
  const name = scale === "log-odds" ? "Test score p, log-odds" : "Test score p";
  return orderStatistics ? `${name}. In the shade, an interval crosses the threshold` : name;
}

const REMARKS = {
  single: "",
  classes: "in each class",
  classifiers: "for each classifier",
  bands: "",
  populations: "in each population",
  folds: "in each fold",
};

function drawShade(strip: Strip, label: Label, picture: Picture, axis: Axis, width: number) {
  const { frame, wanted, waiting } = picture;
  // An ideal model's own curve has no intervals of points.
  if (picture.ideal !== null) {
    strip.hatch(null);
    return strip.shade(null, false);
  }
  const [lower, upper] = sidesOf(frame, label);
  const isWhole = lower && upper;
  const scores = heldOf(picture) ?? openOf(picture, label) ?? shadeOf(frame, label, wanted.threshold);
  const ends = scores && ([axis.toFraction(scores[0]) * width, axis.toFraction(scores[1]) * width] as const);
  strip.hatch(isWhole ? null : lower || upper ? ends : [0, width]);
  strip.shade(ends, isWhole && !waiting);
}

/** Scores at which the band of an ideal recalibration holds the threshold. */
function heldOf({ evaluation: { recalibration }, frame, wanted }: Picture): Pair<number> | null {
  return recalibration && heldScores(calibrationBand(recalibration.groups, frame.alpha), wanted.threshold);
}

/** From the lowest to the highest score, by rank, that limits at every threshold at once leave open. */
function openOf({ evaluation, frame }: Picture, label: Label): Pair<number> | null {
  const { values } = evaluation.scores[label];
  if (frame.kind !== "everywhere" || values.length === 0) return null;
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.point;
  const [lower, upper] = label === 1 ? [tprLower, tprUpper] : [fprLower, fprUpper];
  const [from, to] = [upper, lower].map((share) => Math.round(values.length * (1 - share)));
  return from < to ? [values[from], values[to - 1]] : null;
}

/** Scores whose interval has the threshold inside, as far as there is one pair of order statistics. */
function shadeOf(
  { orderStatistics }: Pick<Frame, "orderStatistics">,
  label: Label,
  threshold: number,
): Pair<number> | null {
  if (orderStatistics === null || threshold <= 0 || threshold >= 1) return null;
  const [lower, upper]: Pair<OrderStatistic> = orderStatistics[label];
  if (lower.residual === Number.NEGATIVE_INFINITY && upper.residual === Number.POSITIVE_INFINITY) return null;
  const centre = logit(threshold);
  return [expit(centre - upper.residual), expit(centre - lower.residual)];
}
