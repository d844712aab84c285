import { createDisclosure } from "../base/disclosure.ts";
import { html, setText, setVisible } from "../base/dom.ts";
import { count, MINUS, percent, percentDown } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, alphaScale, alphaSteps, stopSteps } from "../base/scale.ts";
import { explained } from "../base/tooltip.ts";
import type { Width } from "../base/width.ts";
import { bindingRanks } from "../evaluation/everywhere.ts";
import {
  type Evaluation,
  type Frame,
  LABELS,
  type Label,
  type Limits,
  type OrderStatistic,
  type Rule,
} from "../evaluation/types.ts";
import { type Sides, sidesOf } from "../evaluation/vacuous.ts";
import type { Controller } from "../sync/controller.ts";
import type { Picture } from "../sync/view_model.ts";
import { termsIn } from "../words/help.ts";
import { alphaValueText, className, errorRateText, localWords } from "../words/one_evaluation.ts";
import { marksOf } from "./dotplot.ts";
import { axisPoints, createPull, knownStatistics, type Side } from "./order_statistics.ts";
import {
  DEFAULT_TRACK,
  disclosureWidth,
  isFolded,
  isOverview,
  type Panel,
  panelFrame,
  watchWidth,
} from "./panel.ts";
import { createHandle, flagsOf, type Handle, handleWords, placeOf } from "./residual_handle.ts";
import { createSlider, type MissingLimits, tickElement } from "./slider.ts";
import { createGutter, createStrip, type Gutter, type Strip, stripSize } from "./strip.ts";
import { fittingTicks, residualAxis, residualTick, type Tick, tickPlace } from "./strip_axis.ts";

const BEFORE_LOOKING =
  "Choose the confidence before looking: one that is picked afterwards is not covered, and the band hardly narrows.";
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
      label: "Confidence, by its error rate α",
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
    ...explained(termsIn("Residual")),
    html("span", { class: "crw-unbroken" }, "logit π̃ − logit p"),
  );
  const axisElement = html("div", { class: "crw-strip-axis" }, ticks, tooHigh, tooLow);
  const strips = [
    ...rows.flatMap(({ gutter, strip }) => [gutter.element, strip.element]),
    axisName,
    axisElement,
  ];
  const panel = panelFrame("significance", "Confidence", slider.element);
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
      const name = className(label, evaluation.classes);
      gutter.setName(name);
      for (const handle of handles) handle.setName(name);
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
      ticks: confidenceTicks(trackWidth),
      width: trackWidth,
    });
  }

  function draw(picture: Picture, width: Width) {
    last = [picture, width];
    const { evaluation, frame, wanted, group, stops } = picture;
    const overview = isOverview(picture);
    setTrack(stops);
    panel.setValue(percent(1 - wanted.alpha));
    // An ideal model's own curve has limits at every level.
    const entries = overview ? group.entries : [evaluation];
    slider.draw(wanted.alpha, picture.ideal === null ? { missing: missingBelow(entries) } : {});
    const isOpen = !overview && !isFolded(picture, width);
    setVisible(residuals, isOpen && hasResiduals(picture));
    if (overview) return;
    layOut(evaluation);
    // A threshold that moves leaves them as they are, unless it has limits of its own.
    if (frame.limits === drawn && frame.kind !== "everywhere") return;
    drawn = frame.limits;
    for (const row of rows) drawRow(row, evaluation, frame, axis, trackWidth);
  }

  function drawTexts(picture: Picture, width: Width) {
    const { evaluation, frame, wanted } = picture;
    if (frame.kind === "everywhere") panel.setRemark("choose before looking", BEFORE_LOOKING);
    else panel.setRemark(errorRateText(wanted.alpha));
    for (const { label, gutter } of rows) gutter.setFacts(...factsOf(evaluation, frame, label));
    const points = LABELS.map(
      (label) => `${className(label, evaluation.classes)} ${count(evaluation.nCalibration[label])}`,
    );
    disclosure.take(isFolded(picture, width), points.join(", "), disclosureWidth(trackWidth, width));
    if (!hasResiduals(picture)) setVisible(disclosure.element, false);
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

/** Whether limits come from residuals. */
const hasResiduals = ({ evaluation, ideal }: Picture) => !evaluation.simultaneous && ideal === null;

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

/** Alphas in the order in which their labels get room. */
const TICK_ORDER = [0.001, 0.5, 0.05, 0.01, 0.1, 0.2];
const TICK_CHAR = 6.2;
const TICK_GAP = 6;

/** The confidence at each tick; a label that would touch another is left out, its tick stays. */
export function confidenceTicks(width: number): Tick[] {
  const taken: Pair<number>[] = [];
  return TICK_ORDER.map((value) => {
    const tick = { value, text: percent(1 - value), x: alphaScale.toFraction(value) * width };
    const place = tickPlace(tick, width);
    const wide = tick.text.length * TICK_CHAR;
    const left = { start: tick.x, middle: tick.x - wide / 2, end: tick.x - wide }[place];
    const right = left + wide;
    if (taken.some(([from, to]) => left < to + TICK_GAP && from < right + TICK_GAP))
      return { ...tick, text: "" };
    taken.push([left, right]);
    return tick;
  });
}

/** Alphas below which some label of the evaluations has no limits, or not both. */
export function missingBelow(evaluations: Evaluation[]): MissingLimits {
  const none = evaluations.flatMap(({ vacuousBelow }) => [...vacuousBelow]);
  const one = evaluations.flatMap(({ vacuousBelow, rule }) =>
    vacuousBelow.map((alpha) => alpha * BOTH_FROM[rule]),
  );
  return { none: Math.max(...none), one: Math.max(...one) };
}

/** So many times the alpha of a first limit gives both: the ranks of each rule. */
const BOTH_FROM: Record<Rule, number> = { paper: 4, split: 1 };

function drawRow(row: Row, evaluation: Evaluation, frame: Frame, axis: Axis, width: number) {
  const { label, strip, handles } = row;
  const n = evaluation.nCalibration[label];
  const sides = sidesOf(frame, label);
  const isBounded = sides[0] || sides[1];
  strip.hatch(isBounded ? null : [0, width]);
  const statistics = frame.orderStatistics?.[label];
  if (!statistics) {
    const binding = bindingRanks(evaluation, frame, label);
    strip.setRemark(
      binding ? bindingWords(binding) : stripWords(evaluation, frame, label, isBounded),
      !isBounded,
    );
    strip.split(
      binding?.[0]?.residual ?? Number.NEGATIVE_INFINITY,
      binding?.[1]?.residual ?? Number.POSITIVE_INFINITY,
    );
    for (const handle of handles) handle.hide();
    return;
  }
  const isOneSided = sides[0] !== sides[1];
  strip.setRemark(
    isOneSided ? missingWords(sides) : stripWords(evaluation, frame, label, isBounded),
    !isBounded,
    isOneSided ? (sides[0] ? "right" : "left") : "middle",
  );
  strip.split(statistics[0].residual, statistics[1].residual);
  const places = [
    placeOf(statistics[0].residual, axis, width),
    placeOf(statistics[1].residual, axis, width),
  ] as const;
  const flags = flagsOf(places, [handleWords(statistics[0]), handleWords(statistics[1])], width);
  for (const side of SIDES) handles[side].draw(statistics[side], frame.alpha, n, flags[side], !sides[side]);
}

/** Which residuals bound the rate at the threshold. */
function bindingWords(binding: Pair<OrderStatistic | null>): string {
  const ranks = binding.flatMap((each) => (each ? [count(each.rank)] : []));
  return ranks.length === 0 ? "no limit here" : `bound here by rank ${ranks.join(" and ")}`;
}

const missingWords = ([hasLower]: Sides) => (hasLower ? "no upper limit +∞" : `no lower limit ${MINUS}∞`);

function factsOf({ nCalibration }: Evaluation, frame: Frame, label: Label): [string, string] {
  const sides = sidesOf(frame, label);
  const promise =
    sides[0] && sides[1]
      ? `at least ${percentDown(frame.guaranteed[label])}`
      : sides[0] || sides[1]
        ? "one limit"
        : `too few for ${percent(1 - frame.alpha)}`;
  return [`n = ${count(nCalibration[label])}`, promise];
}

function stripWords({ residuals }: Evaluation, frame: Frame, label: Label, isBounded: boolean): string {
  if (!isBounded) return "no finite interval: −∞ to +∞";
  const { n, values } = residuals[label];
  if (n > 0 && values.length === 0) return "this file holds no residuals";
  return frame.orderStatistics === null ? localWords(frame, label) : "";
}
