import { html, setText, setVisible } from "../base/dom.ts";
import { count, thresholdText } from "../base/format.ts";
import { expit, logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, clamp, logOddsSteps, thresholdSteps } from "../base/scale.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import { youdenTarget } from "../evaluation/threshold_rules.ts";
import { type Evaluation, type Frame, LABELS, type Label, type OrderStatistic } from "../evaluation/types.ts";
import { undecidedOf } from "../evaluation/undecided.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import type { Controller } from "../sync/controller.ts";
import { hasCuts, leadOf } from "../sync/cuts.ts";
import type { Picture } from "../sync/view_model.ts";
import { drawnLabels } from "../views/roc.ts";
import { className } from "../words/one_evaluation.ts";
import { marksOf } from "./dotplot.ts";
import { DEFAULT_TRACK, type Heights, isOverview, type Panel, settingFrame, watchWidth } from "./panel.ts";
import { createSlider, tickElement } from "./slider.ts";
import { createGutter, createStrip, type Strip, stripSize } from "./strip.ts";
import { fittingTicks, scoreAxis, scoreTick } from "./strip_axis.ts";
import { createThresholdMenu } from "./threshold_menu.ts";

export interface ThresholdPanel extends Panel {
  /** The menu of thresholds to jump to. */
  jump: HTMLElement;
  /** The pointer is on the band: the strips say which points it leaves undecided. */
  explain(isOn: boolean): void;
}

/** From the line of the threshold to words beside it, and their width in a wide font. */
const BESIDE = 4;
const WORD = 68;
const LETTERED = [0, 0.5, 1];

/** Threshold: its slider, and how the test points of each label fall on its two sides. */
export function createThreshold(controller: Controller, signal: AbortSignal): ThresholdPanel {
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
  const shadeWords = html("span", { class: "crw-shade-words" });
  const rod = html("div", { class: "crw-threshold-rod", "aria-hidden": "true" }, line, shadeWords);
  const ticks = html("div", { class: "crw-ticks", "aria-hidden": "true" });
  const axisName = html("div", { class: "crw-axis-name" });
  const strips = html(
    "div",
    { class: "crw-strips crw-scores" },
    rod,
    ...rows.flatMap(({ gutter, strip }) => [gutter.element, strip.element]),
    axisName,
    html("div", { class: "crw-strip-axis" }, ticks),
  );
  const menu = createThresholdMenu((threshold) => controller.jumpTo({ threshold }), signal);
  const frame = settingFrame("threshold", "Threshold", slider.element);

  let sliderWidth = DEFAULT_TRACK;
  let trackWidth = DEFAULT_TRACK;
  let height = 48;
  let axis: Axis;
  let youden = 0;
  let laidOut: unknown[] = [];
  let last: Picture | null = null;
  let isAlone = false;
  let isExplained = false;

  /** A slider without strips under it has the letters of the axis itself. */
  function layOut(evaluation: Evaluation) {
    const known = [evaluation, trackWidth, sliderWidth, height, isAlone];
    if (known.every((each, i) => each === laidOut[i])) return;
    laidOut = known;
    const size = stripSize(trackWidth, height);
    axis = scoreAxis(evaluation);
    youden = youdenTarget(evaluation).threshold;
    const isOdds = axis.kind === "log-odds";
    const letters = (tick: number) => (isOdds || LETTERED.includes(tick) ? scoreTick(tick) : "");
    const axisTicks = fittingTicks(axis, trackWidth, letters);
    const sliderTicks = fittingTicks(axis, sliderWidth, letters);
    slider.setTrack({
      scale: axis,
      steps: isOdds ? logOddsSteps : thresholdSteps,
      ticks: isAlone ? sliderTicks : sliderTicks.map((tick) => ({ ...tick, text: "" })),
      width: sliderWidth,
    });
    ticks.replaceChildren(...axisTicks.map((tick) => tickElement(tick, trackWidth)));
    setText(axisName, isOdds ? "Score, log-odds" : "Test score");
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

  function draw(picture: Picture, width = lastWidth) {
    last = picture;
    lastWidth = width;
    const { evaluation, wanted } = picture;
    isAlone = isOverview(picture) || width === "narrow";
    layOut(evaluation);
    frame.setValue(thresholdText(wanted.threshold));
    slider.draw(wanted.threshold, isOverview(picture) ? {} : { mark: { at: youden, text: "Youden" } });
    setVisible(menu.element, !isOverview(picture));
    if (menu.element.parentElement !== frame.head && width !== "narrow") frame.head.append(menu.element);
    setVisible(strips, !isOverview(picture));
    if (isOverview(picture)) return;
    menu.warn(!isForEveryThreshold(picture.frame));
    menu.setCurve(evaluation, picture.cost, picture.prevalence ?? ownPrevalence(evaluation));
    const at = clamp(axis.toFraction(wanted.threshold), 0, 1);
    line.style.left = `${100 * at}%`;
    let shade: Pair<number> | null = null;
    for (const { label, strip } of rows) {
      // Scores are sent as the nearest 32-bit floats; so is the threshold read here.
      strip.split(Math.fround(wanted.threshold), Number.POSITIVE_INFINITY);
      const ends = drawShade(strip, label, picture, axis, trackWidth);
      if (label === 1) shade = ends;
    }
    drawWords(picture, shade, at * trackWidth);
  }
  let lastWidth: Parameters<Panel["draw"]>[1] = "wide";

  /** Above the upper shade at its left edge or at its right one, where the line leaves room. */
  function drawWords({ evaluation, frame: { point } }: Picture, shade: Pair<number> | null, at: number) {
    const [left, right] = shade ? shade.map((end) => clamp(end, 0, trackWidth)) : [0, 0];
    const [positives, negatives] = [1, 0].map((label) => undecidedOf(evaluation, point)[label as Label]);
    const text = isExplained ? `these ${count(positives + negatives)} could go either way` : "undecided";
    const wide = isExplained ? WORD * 2.6 : WORD;
    const isLeft = left + wide + BESIDE <= at || (at < left && left + wide <= trackWidth);
    const isRight = right - wide - BESIDE >= at || (at > right && right - wide >= 0);
    setVisible(shadeWords, right - left > 1 && (isLeft || isRight || isExplained));
    setText(shadeWords, text);
    const start = isLeft ? left : isRight ? right - wide : clamp(at + 8, 0, trackWidth - wide);
    shadeWords.style.left = `${Math.round(start)}px`;
    shadeWords.style.width = `${Math.round(wide)}px`;
    shadeWords.style.textAlign = isLeft || !isRight ? "left" : "right";
  }

  function drawTexts(picture: Picture) {
    const { group, page } = picture;
    const isOfLead = hasCuts(group) && page.alike;
    const each = isOverview(picture) ? `in each ${group.folds ? "fold" : "class"}` : "";
    frame.setRemark(isOfLead ? `of ${group.entries[leadOf(picture)].name}` : each);
  }

  watchWidth(
    [slider.element, rows[0].strip.element],
    ([slides, strip]) => {
      [sliderWidth, trackWidth] = [slides || sliderWidth, strip || trackWidth];
      if (last) draw(last);
    },
    signal,
  );
  return {
    element: frame.element,
    strips,
    jump: menu.element,
    setHeights({ scores }: Heights) {
      height = scores;
    },
    explain(isOn) {
      isExplained = isOn;
      strips.classList.toggle("crw-explained", isOn);
      if (last) draw(last);
    },
    texts: { element: strips, draw: drawTexts },
    draw,
  };
}

/** The shade where a point's call could be either, in pixels; null where points have no limits of their own. */
function drawShade(
  strip: Strip,
  label: Label,
  picture: Picture,
  axis: Axis,
  width: number,
): Pair<number> | null {
  const { frame, wanted, waiting } = picture;
  // The bands of the other questions have no intervals of points.
  if (drawnLabels(picture).length === 0) {
    strip.hatch(null);
    strip.shade(null, false);
    return null;
  }
  const [lower, upper] = sidesOf(frame, label);
  const isWhole = lower && upper;
  const scores = openOf(picture, label) ?? shadeOf(frame, label, wanted.threshold);
  const ends = scores && ([axis.toFraction(scores[0]) * width, axis.toFraction(scores[1]) * width] as const);
  strip.hatch(isWhole ? null : lower || upper ? ends : [0, width]);
  strip.shade(ends, isWhole && !waiting);
  return isWhole ? ends : null;
}

/** From the lowest to the highest score, by rank, that limits at every threshold at once leave open. */
function openOf({ evaluation, frame }: Picture, label: Label): Pair<number> | null {
  const { values } = evaluation.scores[label];
  if (!isForEveryThreshold(frame) || values.length === 0) return null;
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
