// Panel of the confidence, and what it picks among the calibration residuals.

import { createChanges } from "../base/changes.ts";
import { html, setText, setVisible } from "../base/dom.ts";
import { count, ordinal, percent, percentDown, signed, significance } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, alphaScale, clamp } from "../base/scale.ts";
import { ALPHA_STOPS, alphaSteps, stopSteps } from "../base/steps.ts";
import type { Width } from "../base/width.ts";
import { words } from "../base/words.ts";
import { bindingRanks } from "../evaluation/everywhere.ts";
import type { Evaluation, Frame, Label, Limits, Rule, Unranked } from "../evaluation/types.ts";
import { type Sides, sidesOf } from "../evaluation/vacuous.ts";
import { isBare } from "../shown/goal.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { showsConformal } from "../views/roc.ts";
import { RESIDUAL } from "../words/help.ts";
import { alphaValueText, className, localWords } from "../words/one_evaluation.ts";
import { axisPoints, createPull, knownStatistics, type Side } from "./order_statistics.ts";
import { isOverview, type Panel } from "./panel.ts";
import { createHandle, flagsOf, type Handle, placeOf } from "./residual_handle.ts";
import { createSlider, type MissingLimits, type Track } from "./slider.ts";
import { LETTER } from "./strip.ts";
import { residualAxis, residualTick, type Tick } from "./strip_axis.ts";
import { createStripPanel, type StripRow } from "./strip_panel.ts";

const SIDES: readonly Side[] = [0, 1];
/** Distance of the words about the two sides from the axis's zero. */
const ARROW_GAP = 10;
const ARROW_CHAR = 7;
/** Half the width of a handle, with the room around it. */
const GRIP = 10;

/** Confidence: its slider, and what it picks among the calibration residuals of each label. */
export function createConfidence(controller: Controller, signal: AbortSignal): Panel {
  const slider = createSlider(
    {
      name: "alpha",
      label: "Confidence, by its error rate α",
      valueText: alphaValueText,
      wanted: () => controller.wanted.alpha,
      set: (alpha) => controller.setAlpha(alpha),
    },
    controller,
    signal,
  );
  const panel = createStripPanel(
    {
      ...{ setting: "confidence", title: "Confidence", slider, points: "residual" },
      axisName: [],
      redraw: () => last && draw(last),
    },
    signal,
  );
  const { strips, pixels } = panel;
  const often = html("div", { class: "crw-often crw-small crw-text-muted" });
  panel.element.append(often);
  const title = html("h4", { class: "crw-strips-title" });
  strips.prepend(title);
  const handle = (label: Label, side: Side) => createHandle(label, side, controller, signal);
  const handles = [
    [handle(0, 0), handle(0, 1)],
    [handle(1, 0), handle(1, 1)],
  ] as const;
  for (const { label, strip } of panel.rows)
    strip.element.append(...handles[label].map(({ element }) => element));
  const arrows = createArrows(panel.axis);
  let axis: Axis;
  const isNewTrack = createChanges();
  let drawn: Limits | null = null;
  let last: Picture | null = null;
  let lastWidth: Width = "wide";

  function layOut(evaluation: Evaluation) {
    const isNew = panel.layOut(evaluation, () => {
      axis = residualAxis(axisPoints(evaluation));
      const zero = placeOf(0, axis, pixels.strip);
      arrows.draw(zero, pixels.strip);
      return { axis, points: evaluation.residuals, letters: wholeOf(axis), zero };
    });
    if (!isNew) return;
    drawn = null;
    const [zeros, ones] = evaluation.nCalibration;
    setText(title, words("strips.off", { n: zeros + ones, noun: last?.noun ?? "" }));
    title.title = RESIDUAL;
    for (const { label, gutter } of panel.rows) {
      gutter.setFact(`n = ${count(evaluation.nCalibration[label])}`);
      for (const side of SIDES) {
        const known = knownStatistics(evaluation, label, side);
        const pulled = handles[label][side];
        pulled.setName(className(label, evaluation.classes));
        pulled.setPull(known && createPull(known, axis, side), axis, pixels.strip, pixels.height);
      }
    }
  }

  function draw(picture: Picture, width = lastWidth) {
    last = picture;
    lastWidth = width;
    const { evaluation, frame: limits, wanted, group, stops } = picture;
    if (isNewTrack(stops?.join(), pixels.slider, pixels.letters)) slider.setTrack(trackOf(stops, pixels));
    // A curve to guess from has no limits that a confidence could move.
    setVisible(panel.element, picture.page.reveal);
    panel.setValue(percent(1 - wanted.alpha));
    panel.setRemark(`α = ${significance(wanted.alpha)}`);
    setText(often, oftenWords(wanted.alpha));
    setVisible(often, picture.band !== "ideal" && !isBare(picture));
    const entries = isOverview(picture) ? group.entries : [evaluation];
    // Conformal limits alone may be missing: other bands have limits at every level.
    slider.draw(wanted.alpha, showsConformal(picture) ? { missing: missingBelow(entries) } : {});
    // Residuals are of the second question, and the reliability is not made of them.
    setVisible(
      strips,
      !isOverview(picture) &&
        !evaluation.simultaneous &&
        evaluation.unlabelled === null &&
        showsConformal(picture),
    );
    if (strips.hidden) return;
    layOut(evaluation);
    // Strips stay while only the threshold moves, unless the residuals that bound depend on it.
    if (limits.limits === drawn && limits.kind !== "everywhere") return;
    drawn = limits.limits;
    for (const row of panel.rows) drawRow(row, handles[row.label], evaluation, limits, axis, pixels);
  }

  return { ...panel, draw };
}

type Pixels = ReturnType<typeof createStripPanel>["pixels"];

/** How often such limits hold, in whole numbers. */
export function oftenWords(alpha: number): string {
  const all = Number.isInteger(Number((100 * alpha).toFixed(6))) ? 100 : 1000;
  return words("confidence.often", { some: Math.round((1 - alpha) * all), all });
}

/** The track of all alphas, or of the stops alone. */
const trackOf = (stops: readonly number[] | null, { slider: width, letters }: Pixels): Track => ({
  scale: stops ? { ...alphaScale, min: stops[0], max: stops[stops.length - 1] } : alphaScale,
  steps: stops ? stopSteps(stops) : alphaSteps,
  ticks: confidenceTicks(width, letters),
  width,
});

/** Words with arrows: what the two sides of the axis mean. */
function createArrows(axis: HTMLElement) {
  const tooHigh = html("span", { class: "crw-arrow crw-unbroken" });
  const tooLow = html("span", { class: "crw-arrow crw-unbroken" });
  axis.append(tooHigh, tooLow);
  return {
    draw(zero: number, width: number) {
      const [high, low] = arrowWords(zero, width);
      setText(tooHigh, high);
      setText(tooLow, low);
      tooHigh.style.right = `${width - zero + ARROW_GAP}px`;
      tooLow.style.left = `${zero + ARROW_GAP}px`;
    },
  };
}

/** Which ticks are lettered: whole numbers, on a long axis powers of ten; all, if 0 is the only one. */
const wholeOf =
  ({ min, max, kind }: Axis) =>
  (value: number) => {
    const isLong = kind === "asinh" && Math.max(-min, max) > 10;
    const isWhole = isLong ? /^-?10*$/.test(`${value}`) || value === 0 : Number.isInteger(value);
    return isWhole || (min > -1 && max < 1) ? residualTick(value) : "";
  };

/** The meaning of the two sides of zero, in words that fit between it and the ends of the axis; none if there is no room. */
export function arrowWords(zero: number, width: number): Pair<string> {
  const fitting = (room: number, ...words: string[]) =>
    words.find(({ length }) => ARROW_CHAR * length <= room - ARROW_GAP) ?? "";
  return [fitting(zero, "← score too high", "← too high"), fitting(width - zero, "too low →")];
}

const TICKS = [0.001, 0.01, 0.05, 0.1, 0.2, 0.5];
/** Alphas in the order in which their labels get room; the others have a tick alone. */
const LETTERED = [0.05, 0.001, 0.5, 0.01, 0.1];
/** Small letters, which a reader may forbid, so that they grow by more than others. */
const [TICK_CHAR, TICK_CHAR_WIDER] = [6.2, 7.4];
const TICK_GAP = 6;

/** The confidence with its alpha; the first says what the row of them is. */
const textOf = (alpha: number) => `${percent(1 - alpha)}\n${alpha === TICKS[0] ? "α = " : ""}${alpha}`;

/** The confidence at each tick, and alpha below it; a label that would touch another is left out, its tick stays. */
export function confidenceTicks(width: number, letters = 1): Tick[] {
  const taken: Pair<number>[] = [];
  const at = (value: number) => alphaScale.toFraction(value) * width;
  const lettered = LETTERED.filter((value) => {
    const long = Math.max(
      ...textOf(value)
        .split("\n")
        .map((line) => line.length),
    );
    const wide = long * (letters > 1 ? TICK_CHAR_WIDER * letters : TICK_CHAR);
    const left = clamp(at(value) - wide / 2, 0, width - wide);
    if (taken.some(([from, to]) => left < to + TICK_GAP && from < left + wide + TICK_GAP)) return false;
    taken.push([left, left + wide]);
    return true;
  });
  return TICKS.map((value) => ({ value, text: lettered.includes(value) ? textOf(value) : "", x: at(value) }));
}

/** Alphas below which some label of the evaluations has no limits, or not both. */
export function missingBelow(evaluations: Evaluation[]): MissingLimits {
  const none = evaluations.flatMap(({ vacuousBelow }) => [...vacuousBelow]);
  const one = evaluations.flatMap(({ vacuousBelow, rule, unranked }) =>
    unranked ? unranked.map(bothFrom) : vacuousBelow.map((alpha) => alpha * BOTH_FROM[rule]),
  );
  return { none: Math.max(...none), one: Math.max(...one) };
}

/** The first stop of alpha at which there are both limits; if there is none, a number above all stops. */
function bothFrom({ stops }: Unranked): number {
  const first = ALPHA_STOPS.findIndex(
    (_, i) => Number.isFinite(stops[2 * i]) && Number.isFinite(stops[2 * i + 1]),
  );
  return first < 0 ? 1 : ALPHA_STOPS[first];
}

/** By rule, the factor from the alpha of a first limit to that of both limits. */
const BOTH_FROM: Record<Rule, number> = { paper: 4, split: 1 };

function drawRow(
  { label, strip }: StripRow,
  handles: Pair<Handle>,
  evaluation: Evaluation,
  frame: Frame,
  axis: Axis,
  { strip: width, letters }: Pixels,
) {
  const n = evaluation.nCalibration[label];
  const sides = sidesOf(frame, label);
  const isBounded = sides[0] || sides[1];
  const statistics = frame.orderStatistics?.[label];
  if (!statistics) {
    strip.hatch(isBounded ? null : [0, width]);
    const binding = bindingRanks(evaluation, frame, label);
    const ranks = (binding ?? []).flatMap((each) => (each?.rank ? [ordinal(each.rank)] : []));
    const words = binding ? bindingWords(ranks, n) : stripWords(evaluation, frame, label);
    strip.element.title = ranks.length > 0 ? "These residuals bound the rate at the threshold" : "";
    const bounds = [
      binding?.[0]?.residual ?? Number.NEGATIVE_INFINITY,
      binding?.[1]?.residual ?? Number.POSITIVE_INFINITY,
    ] as const;
    const marked = bounds.filter(Number.isFinite).map((residual) => placeOf(residual, axis, width));
    strip.setRemark(isBounded ? words : "no limits", !isBounded, marked.length === 1 ? marked[0] : "middle");
    strip.element.toggleAttribute("data-ranks", binding !== null);
    strip.split(...bounds);
    strip.mark(marked);
    for (const handle of handles) handle.hide();
    return;
  }
  strip.element.toggleAttribute("data-ranks", false);
  strip.element.title = "";
  strip.mark([]);
  const isEmpty = n > 0 && evaluation.residuals[label].values.length === 0;
  const words = isEmpty ? stripWords(evaluation, frame, label) : missingWords(sides);
  strip.split(statistics[0].residual, statistics[1].residual);
  const places = [
    placeOf(statistics[0].residual, axis, width),
    placeOf(statistics[1].residual, axis, width),
  ] as const;
  const zero = placeOf(0, axis, width);
  strip.hatch(sides[0] && sides[1] ? null : [sides[0] ? zero : 0, sides[1] ? zero : width]);
  const texts = statistics.map(({ rank, residual }) =>
    Number.isFinite(residual) ? (rank === null ? signed(residual) : `${ordinal(rank)} of ${count(n)}`) : "",
  );
  const far = LETTER * letters * words.length;
  // The words stand where the limit is missing, unless the handle of the other one is there.
  const isTaken = sides[0] ? places[0] > width - far - GRIP : places[1] < far + GRIP;
  const isRight = sides[0] !== isTaken;
  strip.setRemark(words, !(sides[0] && sides[1]), isBounded ? (isRight ? "right" : "left") : "middle");
  // Large letters reach down to the signs of what lies beyond the axis.
  const beyond = letters > 1 ? LETTER * letters : 0;
  const taken = isBounded
    ? ([isRight ? beyond : far, isRight ? far || beyond : beyond] as const)
    : ([0, 0] as const);
  const flags = flagsOf(places, [texts[0], texts[1]], width, taken, letters);
  const promise = sides[0] && sides[1] ? `, at least ${percentDown(frame.guaranteed[label])}` : "";
  for (const side of SIDES)
    handles[side].draw(statistics[side], frame.alpha, [texts[side], promise], flags[side], !sides[side]);
}

/** The ranks of the residuals that bound the rate at the threshold. */
const bindingWords = (ranks: string[], n: number) =>
  ranks.length === 0 ? "no limit here" : `${ranks.join(" and ")} of ${count(n)}`;

function missingWords([hasLower, hasUpper]: Sides): string {
  if (hasLower === hasUpper) return hasLower ? "" : "no limits";
  return hasLower ? "no upper limit" : "no lower limit";
}

function stripWords({ residuals }: Evaluation, frame: Frame, label: Label): string {
  const { n, values } = residuals[label];
  return n > 0 && values.length === 0 ? "this file holds no residuals" : localWords(frame, label);
}
