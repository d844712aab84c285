// Draws a strip of the calibration residuals for each label. The residuals that are limits at the current confidence are
// marked.

import { html, setText, setVisible } from "../base/dom.ts";
import { count, ordinal, percentDown, signed } from "../base/format.ts";
import { byLabelAndSide, type Pair } from "../base/pair.ts";
import type { Axis } from "../base/scale.ts";
import { words } from "../base/words.ts";
import { bindingRanks } from "../evaluation/everywhere.ts";
import type { Evaluation, Frame, Label, Limits } from "../evaluation/types.ts";
import { type Sides, sidesOf } from "../evaluation/vacuous.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { showsConformal } from "../views/roc.ts";
import { RESIDUAL } from "../words/help.ts";
import { className, localWords } from "../words/one_evaluation.ts";
import { axisPoints, createPull, knownStatistics, type Side } from "./order_statistics.ts";
import { isOverview } from "./panel.ts";
import { createHandle, flagsOf, type Handle, placeOf } from "./residual_handle.ts";
import { LETTER } from "./strip.ts";
import { residualAxis, residualTick } from "./strip_axis.ts";
import type { StripPanel, StripRow } from "./strip_panel.ts";

const SIDES: readonly Side[] = [0, 1];
/** The distance from zero to the words on both sides of it, in pixels. */
const ARROW_GAP = 10;
const ARROW_CHAR = 7;
/** Half the width of a handle with the gap around it, in pixels. */
const GRIP = 10;

/**
 * Draws residuals into the panel's strips, with a handle on each residual that is a limit at the current confidence.
 */
export function createResidualStrips(panel: StripPanel, controller: Controller, signal: AbortSignal) {
  const { strips, pixels } = panel;
  const title = html("h4", { class: "crw-strips-title" });
  strips.prepend(title);
  const handles = byLabelAndSide((label, side) => createHandle(label, side, controller, signal));
  for (const { label, strip } of panel.rows)
    strip.element.append(...handles[label].map(({ element }) => element));
  const arrows = createArrows(panel.axis);
  let axis: Axis;
  let drawn: Limits | null = null;

  function layOut(evaluation: Evaluation, noun: string) {
    const isNew = panel.layOut(evaluation, () => {
      axis = residualAxis(axisPoints(evaluation));
      const zero = placeOf(0, axis, pixels.strip);
      arrows.draw(zero, pixels.strip);
      return { axis, points: evaluation.residuals, letters: wholeOf(axis), zero };
    });
    if (!isNew) return;
    drawn = null;
    const [zeros, ones] = evaluation.nCalibration;
    setText(title, words("strips.off", { n: zeros + ones, noun }));
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

  return {
    draw(picture: Picture) {
      const { evaluation, frame: limits, noun } = picture;
      // The strips show the residuals that conformal limits come from. In the reliability view, and with
      // other limits, there are none.
      setVisible(
        strips,
        !isOverview(picture) &&
          !evaluation.simultaneous &&
          evaluation.unlabelled === null &&
          showsConformal(picture),
      );
      if (strips.hidden) return;
      layOut(evaluation, noun);
      // If only the threshold moves, the strips do not change, unless the marked residuals depend on it.
      if (limits.limits === drawn && limits.kind !== "everywhere") return;
      drawn = limits.limits;
      for (const row of panel.rows) drawRow(row, handles[row.label], evaluation, limits, axis, pixels);
    },
  };
}

/** Makes the words with arrows that explain both sides of the axis. */
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

/**
 * Returns the function that writes a tick's value. It writes integers or, on a long axis, powers of ten. If this leaves
 * only 0, it writes every value.
 */
const wholeOf =
  ({ min, max, kind }: Axis) =>
  (value: number) => {
    const isLong = kind === "asinh" && Math.max(-min, max) > 10;
    const isWhole = isLong ? /^-?10*$/.test(`${value}`) || value === 0 : Number.isInteger(value);
    return isWhole || (min > -1 && max < 1) ? residualTick(value) : "";
  };

/** Returns the words for both sides of zero. A side without enough room has no words. */
export function arrowWords(zero: number, width: number): Pair<string> {
  const fitting = (room: number, ...words: string[]) =>
    words.find(({ length }) => ARROW_CHAR * length <= room - ARROW_GAP) ?? "";
  return [fitting(zero, "← score too high", "← too high"), fitting(width - zero, "too low →")];
}

function drawRow(
  { label, strip }: StripRow,
  handles: Pair<Handle>,
  evaluation: Evaluation,
  frame: Frame,
  axis: Axis,
  { strip: width, letters }: StripPanel["pixels"],
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
  // If a limit is missing, words say so at the end of the strip where it would be. If the handle of the other
  // limit is there, the words are at the other end.
  const isTaken = sides[0] ? places[0] > width - far - GRIP : places[1] < far + GRIP;
  const isRight = sides[0] !== isTaken;
  strip.setRemark(words, !(sides[0] && sides[1]), isBounded ? (isRight ? "right" : "left") : "middle");
  // At each end, the strip writes how many points are outside the axis. If the font is large, the texts at
  // the handles (flags) leave room for it.
  const beyond = letters > 1 ? LETTER * letters : 0;
  const taken = isBounded
    ? ([isRight ? beyond : far, isRight ? far || beyond : beyond] as const)
    : ([0, 0] as const);
  const flags = flagsOf(places, [texts[0], texts[1]], width, taken, letters);
  const promise = sides[0] && sides[1] ? `, at least ${percentDown(frame.guaranteed[label])}` : "";
  for (const side of SIDES)
    handles[side].draw(statistics[side], frame.alpha, [texts[side], promise], flags[side], !sides[side]);
}

/** Writes the ranks of the residuals that make the limits of the rate at the threshold. */
const bindingWords = (ranks: string[], n: number) =>
  ranks.length === 0
    ? "no limit here"
    : `band’s ${ranks.length === 1 ? "limit" : "limits"}: ${ranks.join(" and ")} of ${count(n)}`;

function missingWords([hasLower, hasUpper]: Sides): string {
  if (hasLower === hasUpper) return hasLower ? "" : "no limits";
  return hasLower ? "no upper limit" : "no lower limit";
}

function stripWords({ residuals }: Evaluation, frame: Frame, label: Label): string {
  const { n, values } = residuals[label];
  return n > 0 && values.length === 0 ? "this file holds no residuals" : localWords(frame, label);
}
