import { createDisclosure } from "../base/disclosure.ts";
import { html, setText, setVisible } from "../base/dom.ts";
import { count, percent, percentDown, significance } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, alphaScale, alphaSteps, stopSteps } from "../base/scale.ts";
import type { Width } from "../base/width.ts";
import { type Evaluation, type Frame, LABELS, type Label, type Limits } from "../evaluation/types.ts";
import { hasLimits } from "../evaluation/vacuous.ts";
import { isCompared } from "../sync/comparators.ts";
import type { Controller } from "../sync/controller.ts";
import type { Picture } from "../sync/view_model.ts";
import {
  alphaValueText,
  className,
  confidence,
  labelName,
  localWords,
  tooFewPoints,
} from "../words/one_evaluation.ts";
import { tooFewOfGroup } from "../words/several_evaluations.ts";
import { marksOf } from "./dotplot.ts";
import { axisPoints, createPull, knownStatistics, type Side } from "./order_statistics.ts";
import { DEFAULT_TRACK, disclosureWidth, isOverview, type Panel, panelFrame, watchWidth } from "./panel.ts";
import { createHandle, flagsOf, type Handle, handleWords, placeOf } from "./residual_handle.ts";
import { createSlider, tickElement } from "./slider.ts";
import { createGutter, createStrip, type Gutter, type Strip, stripSize } from "./strip.ts";
import { fittingTicks, residualAxis, residualTick } from "./strip_axis.ts";

const SIDES: readonly Side[] = [0, 1];
/** From the zero of the axis to the words about its two sides. */
const ARROW_GAP = 10;
const ARROW_CHAR = 7;

interface Row {
  label: Label;
  gutter: Gutter;
  strip: Strip;
  handles: Pair<Handle>;
}

/** The residuals are apart from their slider: the keyboard comes to them after the threshold. */
interface Significance extends Panel {
  residuals: HTMLElement;
}

/** Significance: its slider, and what it picks among the calibration residuals of each label. */
export function createSignificance(controller: Controller, signal: AbortSignal): Significance {
  const slider = createSlider(
    {
      name: "alpha",
      label: "Significance α",
      valueText: alphaValueText,
      set: (alpha) => controller.setAlpha(alpha),
    },
    controller,
    signal,
  );
  const rows = LABELS.map((label) => createRow(label, controller, signal));
  const ticks = html("div", { class: "crw-ticks", "aria-hidden": "true" });
  const tooHigh = html("span", { class: "crw-arrow" });
  const tooLow = html("span", { class: "crw-arrow" });
  const axisName = html(
    "div",
    { class: "crw-axis-name" },
    html("span", {}, "Residual"),
    html("span", { class: "crw-unbroken" }, "logit π̃ − logit p"),
  );
  const axisElement = html("div", { class: "crw-strip-axis" }, ticks, tooHigh, tooLow);
  const strips = [
    ...rows.flatMap(({ gutter, strip }) => [gutter.element, strip.element]),
    axisName,
    axisElement,
  ];
  const panel = panelFrame("significance", "Significance α", slider.element);
  const residuals = html("div", { class: "crw-significance crw-residuals" }, ...strips);
  const disclosure = createDisclosure("Calibration residuals", "crw-significance", residuals, strips);

  let trackWidth = DEFAULT_TRACK;
  let axis: Axis;
  let laidOut: { evaluation: Evaluation; width: number } | null = null;
  let slid: { stops: string; width: number } | null = null;
  let drawn: Limits | null = null;
  let last: [Picture, Width] | null = null;

  function layOut(evaluation: Evaluation) {
    if (laidOut?.evaluation === evaluation && laidOut.width === trackWidth) return;
    laidOut = { evaluation, width: trackWidth };
    drawn = null;
    const size = stripSize(trackWidth);
    axis = residualAxis(axisPoints(evaluation));
    const zero = placeOf(0, axis, trackWidth);
    const marks = marksOf(
      rows.map(({ label }) => evaluation.residuals[label]),
      axis.toFraction,
      size,
    );
    rows.forEach(({ label, gutter, strip, handles }, i) => {
      strip.layOut(marks[i], size, zero);
      gutter.setName(labelName(label), className(label, evaluation.classes));
      for (const side of SIDES) {
        const known = knownStatistics(evaluation, label, side);
        handles[side].setPull(known && createPull(known, axis, side), axis, trackWidth);
      }
    });
    ticks.replaceChildren(
      ...fittingTicks(axis, trackWidth, residualTick).map((tick) => tickElement(tick, trackWidth)),
    );
    drawArrows(zero);
  }

  function drawArrows(zero: number) {
    const [high, low] = arrowWords(zero, trackWidth);
    setText(tooHigh, high);
    setText(tooLow, low);
    tooHigh.style.right = `${trackWidth - zero + ARROW_GAP}px`;
    tooLow.style.left = `${zero + ARROW_GAP}px`;
  }

  function setTrack(stops: readonly number[] | null) {
    const key = stops?.join() ?? "";
    if (slid?.stops === key && slid.width === trackWidth) return;
    slid = { stops: key, width: trackWidth };
    const scale = stops ? { ...alphaScale, min: stops[0], max: stops[stops.length - 1] } : alphaScale;
    slider.setTrack({
      scale,
      steps: stops ? stopSteps(stops) : alphaSteps,
      ticks: alphaScale.ticks.map((value) => ({
        value,
        text: String(value),
        x: alphaScale.toFraction(value) * trackWidth,
      })),
      width: trackWidth,
    });
  }

  function draw(picture: Picture, width: Width) {
    last = [picture, width];
    const { evaluation, frame, wanted, group, stops } = picture;
    const overview = isOverview(picture);
    setTrack(stops);
    panel.setValue(significance(wanted.alpha));
    slider.draw(wanted.alpha, {
      hatch: overview
        ? tooFewOfGroup(group)
        : { below: Math.max(...evaluation.vacuousBelow), text: tooFewPoints(frame) },
    });
    setVisible(residuals, !overview && !isCompared(picture) && !evaluation.simultaneous);
    if (overview) return;
    layOut(evaluation);
    // A threshold that moves leaves them as they are.
    if (frame.limits === drawn) return;
    drawn = frame.limits;
    for (const row of rows) drawRow(row, evaluation, frame, axis, trackWidth);
  }

  function drawTexts(picture: Picture, width: Width) {
    const { evaluation, frame, wanted } = picture;
    panel.setRemark(confidence(wanted.alpha));
    for (const { label, gutter } of rows) gutter.setFacts(...factsOf(evaluation, frame, label));
    const points = LABELS.map((label) => `label ${label}: n = ${count(evaluation.nCalibration[label])}`);
    disclosure.take(isCompared(picture), points.join(", "), disclosureWidth(trackWidth, width));
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
  const texts = { element: residuals, draw: drawTexts };
  return { element: panel.element, residuals, texts, disclosures: [disclosure.element], draw };
}

/** The meaning of the two sides of zero, in words that fit between it and the ends of the axis; none where there is no room. */
export function arrowWords(zero: number, width: number): Pair<string> {
  const fitting = (room: number, ...words: string[]) =>
    words.find(({ length }) => ARROW_CHAR * length <= room - ARROW_GAP) ?? "";
  const long = [
    fitting(zero, "← classifier too high"),
    fitting(width - zero, "classifier too low →"),
  ] as const;
  const short = [fitting(zero, "← too high"), fitting(width - zero, "too low →")] as const;
  return short.every((words, side) => words === "" || long[side] !== "") ? long : short;
}

function createRow(label: Label, controller: Controller, signal: AbortSignal): Row {
  const handles = [
    createHandle(label, 0, controller, signal),
    createHandle(label, 1, controller, signal),
  ] as const;
  const strip = createStrip(label, `residual-strip-${label}`);
  strip.element.append(...handles.map(({ element }) => element));
  return { label, gutter: createGutter(label), strip, handles };
}

function drawRow(row: Row, evaluation: Evaluation, frame: Frame, axis: Axis, width: number) {
  const { label, strip, handles } = row;
  const n = evaluation.nCalibration[label];
  const isBounded = hasLimits(frame, label);
  strip.hatch(!isBounded);
  strip.setRemark(stripWords(evaluation, frame, label, isBounded), !isBounded);
  const statistics = frame.orderStatistics?.[label];
  if (!statistics) {
    strip.split(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    for (const handle of handles) handle.hide();
    return;
  }
  strip.split(statistics[0].residual, statistics[1].residual);
  const places = [
    placeOf(statistics[0].residual, axis, width),
    placeOf(statistics[1].residual, axis, width),
  ] as const;
  const flags = flagsOf(places, [handleWords(statistics[0]), handleWords(statistics[1])], width);
  for (const side of SIDES) handles[side].draw(statistics[side], frame.alpha, n, flags[side], !isBounded);
}

function factsOf({ nCalibration }: Evaluation, frame: Frame, label: Label): [string, string] {
  const promise = hasLimits(frame, label)
    ? `at least ${percentDown(frame.guaranteed[label])}`
    : `too few for ${percent(1 - frame.alpha)}`;
  return [`n = ${count(nCalibration[label])}`, promise];
}

function stripWords({ residuals }: Evaluation, frame: Frame, label: Label, isBounded: boolean): string {
  if (!isBounded) return "no finite interval: −∞ to +∞";
  const { n, values } = residuals[label];
  if (n > 0 && values.length === 0) return "this file holds no residuals";
  return frame.orderStatistics === null ? localWords(frame, label) : "";
}
