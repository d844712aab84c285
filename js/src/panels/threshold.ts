// Panel of the threshold, and how the test points fall on its two sides.

import { html, setText, setVisible } from "../base/dom.ts";
import { count, thresholdText } from "../base/format.ts";
import { expit, logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, clamp } from "../base/scale.ts";
import { logOddsSteps, type Steps, scoreSteps, thresholdSteps } from "../base/steps.ts";
import type { Width } from "../base/width.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import { youdenTarget } from "../evaluation/threshold_rules.ts";
import type { Evaluation, Frame, Label, OrderStatistic } from "../evaluation/types.ts";
import { undecidedOf } from "../evaluation/undecided.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import { hasCuts, leadOf } from "../shown/cuts.ts";
import type { Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { drawnLabels } from "../views/roc.ts";
import { legendOf } from "../views/views.ts";
import {
  type Kept,
  keptOf,
  keptText,
  markLines,
  marksText,
  mostlyOf,
  mostlyText,
  onMarkText,
  otherMarks,
} from "../words/kept.ts";
import { nameAmong } from "../words/several_evaluations.ts";
import { isOverview } from "./panel.ts";
import { createSlider, type Extras, type Track } from "./slider.ts";
import type { Strip } from "./strip.ts";
import { fittingTicks, scoreAxis, scoreTick } from "./strip_axis.ts";
import { createStripPanel } from "./strip_panel.ts";
import { createThresholdMenu } from "./threshold_menu.ts";

/** Distance of words from the threshold's line, and their width in a wide font. */
const BESIDE = 4;
const WORDS = 104;
/** Width of the words on what a wish keeps, in a wide font. */
const WISH = 158;
const LETTERED = [0, 0.5, 1];

/** Threshold: its slider, and how the test points of each label fall on its two sides. */
export function createThreshold(controller: Controller, signal: AbortSignal) {
  const slider = createSlider(
    {
      name: "threshold",
      label: "Threshold",
      valueText: thresholdText,
      wanted: () => controller.wanted.threshold,
      set: (threshold) => controller.setThreshold(threshold),
    },
    controller,
    signal,
  );
  const panel = createStripPanel(
    {
      ...{ setting: "threshold", title: "Threshold", slider, points: "score", axisName: ["Test score"] },
      redraw: () => last && draw(last),
    },
    signal,
  );
  const { strips, pixels, rows } = panel;
  const rod = createRod();
  strips.prepend(rod.element);
  const menu = createThresholdMenu((threshold, wish) => {
    if (wish) controller.choosePage({ wish: wish.rate, least: wish.least });
    controller.jumpTo({ threshold });
  }, signal);
  let axis: Axis;
  let youden = 0;
  let last: Picture | null = null;
  let lastWidth: Width = "wide";
  let isExplained = false;

  function layOut(evaluation: Evaluation, isAlone: boolean) {
    const contentOf = () => {
      axis = scoreAxis(evaluation);
      youden = youdenTarget(evaluation).threshold;
      slider.setTrack(trackOf(axis, pixels.slider, isAlone));
      return { axis, points: evaluation.scores, letters: lettersOf(axis), zero: null };
    };
    if (!panel.layOut(evaluation, contentOf, isAlone)) return;
    for (const { label, strip } of rows) {
      const { n, values } = evaluation.scores[label];
      strip.setRemark(n > 0 && values.length === 0 ? "this file holds no scores" : "", false);
    }
  }

  function draw(picture: Picture, width = lastWidth) {
    last = picture;
    lastWidth = width;
    const { evaluation, wanted } = picture;
    const hasStrips = !isOverview(picture);
    layOut(evaluation, !hasStrips || width === "narrow");
    panel.setValue(thresholdText(wanted.threshold));
    panel.setFlag(picture.picked && legendOf(picture).line.chosen !== "any" ? "picked" : "");
    panel.setRemark(remarkOf(picture));
    const kept = hasStrips ? keptOf(picture) : null;
    slider.draw(wanted.threshold, hasStrips ? marksOf(picture, kept) : { several: foldTicks(picture) });
    if (menu.element.parentElement !== panel.head && width !== "narrow") panel.head.append(menu.element);
    setVisible(menu.element, hasStrips);
    setVisible(strips, hasStrips);
    if (!hasStrips) return;
    const { alpha } = picture.frame;
    const share = picture.prevalence ?? ownPrevalence(evaluation);
    const looked = { evaluation, alpha, cost: picture.cost_ratio, share };
    menu.draw(looked, !isForEveryThreshold(picture.frame), picture.held);
    // Scores were sent as the nearest 32-bit floats, so the threshold is rounded in the same way.
    for (const { strip } of rows) strip.split(Math.fround(wanted.threshold), Number.POSITIVE_INFINITY);
    const shades = rows.map(({ label, strip }) => drawShade(strip, label, picture, axis, pixels.strip));
    rod.drawWish(picture, axis, pixels.strip);
    rod.draw(picture, axis, shades[rows.findIndex(({ label }) => label === 1)], pixels.strip, isExplained);
  }

  /** Youden's threshold, where it would mostly be, and what keeps a wish here and in other populations. */
  function marksOf(picture: Picture, kept: Kept | null): Extras {
    const others = otherMarks(picture);
    return {
      mark: { at: youden, text: "Youden" },
      kept: kept && keptPart(kept, picture, axis),
      others: others.flatMap(({ at, title }) => (at === null ? [] : [{ at, title }])),
      stretch: stretchOf(picture),
      meaning: onMarkText(kept, picture.wanted.threshold),
      description: marksText(kept, picture.evaluation, others),
    };
  }

  return {
    ...panel,
    /** The menu of thresholds to jump to. */
    jump: menu.element,
    findKept: menu.openAtKept,
    /** While the pointer is on the band, the strips say which points it leaves undecided. */
    explain(isOn: boolean) {
      isExplained = isOn;
      strips.classList.toggle("crw-explained", isOn);
      if (last) draw(last);
    },
    draw,
  };
}

/** The stretch in which Youden's threshold, or the one wished for, would mostly be with more test data. */
function stretchOf(picture: Picture) {
  const mostly = mostlyOf(picture);
  return mostly && { from: mostly[0], to: mostly[1], title: mostlyText(picture, mostly) };
}

/** Youden's threshold of each fold. */
function foldTicks({ group }: Picture) {
  if (!group.folds) return [];
  return group.entries.map((entry) => {
    const { threshold } = youdenTarget(entry);
    return { at: threshold, title: `Youden, ${nameAmong(group, entry)}: ${thresholdText(threshold)}` };
  });
}

/** The part of the track whose thresholds keep the wish, up to the mark or from it on. */
function keptPart(kept: Kept, picture: Picture, axis: Axis) {
  if (kept.found === null) return null;
  const { threshold } = kept.found;
  const [from, to] = kept.wish.rate === "sensitivity" ? [axis.min, threshold] : [threshold, axis.max];
  return { from, to, at: threshold, title: keptText(kept, picture) };
}

/** The remark beside the value: whose threshold it is, if several are shown. */
function remarkOf(picture: Picture): string {
  const { group, page } = picture;
  if (hasCuts(group) && page.alike) return `of ${group.entries[leadOf(picture)].name}`;
  return isOverview(picture) ? `in each ${group.folds ? "fold" : "class"}` : "";
}

const isOdds = ({ kind }: Axis) => kind === "log-odds";

const isUnit = ({ min, max }: Axis) => min === 0 && max === 1;

const lettersOf = (axis: Axis) => (tick: number) =>
  isOdds(axis) || !isUnit(axis) || LETTERED.includes(tick) ? scoreTick(tick) : "";

function stepsOf(axis: Axis): Steps {
  if (isOdds(axis)) return logOddsSteps;
  return isUnit(axis) ? thresholdSteps : scoreSteps(axis.min, axis.max);
}

/** Track of the slider; without strips under it (`isAlone`) it has the letters of the axis itself. */
function trackOf(axis: Axis, width: number, isAlone: boolean): Track {
  const ticks = fittingTicks(axis, width, lettersOf(axis));
  return {
    scale: axis,
    steps: stepsOf(axis),
    ticks: isAlone ? ticks : ticks.map((tick) => ({ ...tick, text: "" })),
    width,
  };
}

/** The line of the threshold through both strips, with a word for the points whose call it leaves open. */
function createRod() {
  const line = html("div", { class: "crw-threshold-line" });
  const words = html("span", { class: "crw-shade-words crw-text-muted crw-unbroken" });
  const wish = html("span", { class: "crw-wish-words", "data-testid": "wish-words" });
  return {
    element: html("div", { class: "crw-threshold-rod", "aria-hidden": "true" }, line, words, wish),
    /** Draws what the blue mark keeps, in two lines on the roomier side, if nothing else stands there. */
    drawWish(picture: Picture, axis: Axis, width: number) {
      const kept = isSampled(picture) ? keptOf(picture) : null;
      const at = clamp(axis.toFraction(picture.wanted.threshold), 0, 1) * width;
      const isLeft = at > width / 2;
      const room = (isLeft ? at : width - at) - 2 * BESIDE;
      setVisible(wish, kept !== null && kept.found !== null && room >= WISH);
      if (kept === null) return;
      setText(wish, markLines(kept));
      wish.style.left = isLeft ? "" : `${at + 2 * BESIDE}px`;
      wish.style.right = isLeft ? `${width - at + 2 * BESIDE}px` : "";
      wish.style.textAlign = isLeft ? "right" : "left";
    },
    /** Draws the line; its words stand above the upper shade, at the edge that has room. */
    draw(picture: Picture, axis: Axis, shade: Pair<number> | null, width: number, isExplained: boolean) {
      const { evaluation, frame, wanted } = picture;
      const share = clamp(axis.toFraction(wanted.threshold), 0, 1);
      const at = share * width;
      line.style.left = `${100 * share}%`;
      const [left, right] = shade ? shade.map((end) => clamp(end, 0, width)) : [0, 0];
      const open = undecidedOf(evaluation, frame.point);
      const text = isExplained ? `these ${count(open[1] + open[0])} could go either way` : "ideal: undecided";
      const wide = isExplained ? 1.7 * WORDS : WORDS;
      // Words that are wider than the shade beside the line reach out of it.
      const before = at < left ? left : Math.min(left, at - BESIDE - wide);
      const after = at > right ? right - wide : Math.max(right - wide, at + BESIDE);
      const isLeft = before >= 0 && (at < left ? left + wide <= width : at - left > wide / 2);
      const isRight = after + wide <= width && (at > right ? after >= 0 : right - at > wide / 2);
      setVisible(words, right - left > 1 && (isLeft || isRight || isExplained));
      setText(words, text);
      const start = isLeft ? before : isRight ? after : clamp(at + 8, 0, width - wide);
      words.style.left = `${Math.round(start)}px`;
      words.style.width = `${Math.round(wide)}px`;
      words.style.textAlign = isLeft || !isRight ? "left" : "right";
    },
  };
}

/** Shades the scores whose call could be either; returns the ends in pixels, null if points have no limits of their own. */
function drawShade(
  strip: Strip,
  label: Label,
  picture: Picture,
  axis: Axis,
  width: number,
): Pair<number> | null {
  const { frame, wanted, waiting } = picture;
  // Bands of the other questions have no intervals of single points.
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

/** The lowest and the highest score whose call limits at every threshold at once leave open. */
function openOf({ evaluation, frame }: Picture, label: Label): Pair<number> | null {
  const { values } = evaluation.scores[label];
  if (!isForEveryThreshold(frame) || values.length === 0) return null;
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.point;
  const [lower, upper] = label === 1 ? [tprLower, tprUpper] : [fprLower, fprUpper];
  const [from, to] = [upper, lower].map((share) => Math.round(values.length * (1 - share)));
  return from < to ? [values[from], values[to - 1]] : null;
}

/** The range of scores whose interval holds the threshold; null unless all points share one pair of order statistics. */
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
