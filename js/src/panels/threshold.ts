// Makes the panel of the threshold: its slider, and the test points on both sides of the threshold.

import { html, setText, setVisible } from "../base/dom.ts";
import { thresholdText } from "../base/format.ts";
import { type Axis, clamp } from "../base/scale.ts";
import { logOddsSteps, type Steps, scoreSteps, thresholdSteps } from "../base/steps.ts";
import type { Width } from "../base/width.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import { youdenTarget } from "../evaluation/threshold_rules.ts";
import type { Evaluation } from "../evaluation/types.ts";
import { hasCuts, leadOf } from "../shown/cuts.ts";
import { verdictOnGoal } from "../shown/goal.ts";
import type { Picture } from "../shown/picture.ts";
import { verdictOf } from "../shown/verdict.ts";
import type { Controller } from "../sync/controller.ts";
import { showsConformal } from "../views/roc.ts";
import { goalMark } from "../words/goal.ts";
import { calledHead } from "../words/rows.ts";
import { nameAmong } from "../words/several_evaluations.ts";
import { stretchText } from "../words/verdict.ts";
import { isOverview } from "./panel.ts";
import { createSlider, type Extras, type Track } from "./slider.ts";
import { fittingTicks, scoreAxis, scoreTick } from "./strip_axis.ts";
import { createStripPanel } from "./strip_panel.ts";
import { createThresholdMenu } from "./threshold_menu.ts";

const LETTERED = [0, 0.5, 1];

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
      ...{ setting: "threshold", title: "Threshold", slider, points: "score", axisName: [] },
      redraw: () => last && draw(last),
    },
    signal,
  );
  const { strips, pixels, rows } = panel;
  const rod = html("div", { class: "crw-threshold-line" });
  strips.prepend(html("div", { class: "crw-threshold-rod", "aria-hidden": "true" }, rod));
  const menu = createThresholdMenu((threshold) => controller.jumpTo({ threshold }), signal);
  let axis: Axis;
  let last: Picture | null = null;
  let lastWidth: Width = "wide";

  function layOut(evaluation: Evaluation, isAlone: boolean) {
    const contentOf = () => {
      axis = scoreAxis(evaluation);
      slider.setTrack(trackOf(axis, pixels.slider, isAlone));
      return { axis, points: evaluation.scores, letters: lettersOf(axis), zero: null };
    };
    if (!panel.layOut(evaluation, contentOf, isAlone)) return;
    setText(panel.name, isOdds(axis) ? "score, log-odds scale" : "score");
    for (const { label, strip, gutter } of rows) {
      const drawn = evaluation.unlabelled ? "as expected" : "a dot, a row";
      gutter.setFact(label === 1 ? drawn : `pale: ${calledHead({ evaluation, noun: "" }, 0)}`);
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
    panel.setRemark(remarkOf(picture));
    slider.draw(wanted.threshold, hasStrips ? marksOf(picture) : { several: foldTicks(picture) });
    if (menu.element.parentElement !== panel.head && width !== "narrow") panel.head.append(menu.element);
    setVisible(menu.element, hasStrips);
    setVisible(strips, hasStrips);
    if (!hasStrips) return;
    const share = picture.prevalence ?? ownPrevalence(evaluation);
    menu.draw(
      { evaluation, cost: picture.cost_ratio, share },
      !isForEveryThreshold(picture.frame),
      picture.held,
    );
    // Scores were sent as 32-bit floats. A threshold equal to a score must equal it after rounding too, so it
    // is rounded in the same way.
    for (const { strip } of rows) strip.split(Math.fround(wanted.threshold), Number.POSITIVE_INFINITY);
    rod.style.left = `${100 * clamp(axis.toFraction(wanted.threshold), 0, 1)}%`;
  }

  return {
    ...panel,
    /** The menu of suggested thresholds. */
    jump: menu.element,
    draw,
  };
}

/**
 * Returns the marks on the track: the threshold that keeps the goal, and the ranges of scores that cannot be the true
 * risks.
 */
function marksOf(picture: Picture): Extras {
  const refuted = showsConformal(picture) ? (verdictOf(picture)?.stretches ?? []) : [];
  return {
    mark: goalMark(picture),
    stretches: refuted.map((each) => ({ from: each.start, to: each.end, title: stretchText(each) })),
    meaning: verdictOnGoal(picture)?.isOn ? `, ${goalMark(picture)?.text}` : "",
    description: goalMark(picture)?.text ?? "",
  };
}

/** Returns a tick at the Youden threshold of each fold. */
function foldTicks({ group }: Picture) {
  if (!group.folds) return [];
  return group.entries.map((entry) => {
    const { threshold } = youdenTarget(entry);
    return { at: threshold, title: `Youden, ${nameAmong(group, entry)}: ${thresholdText(threshold)}` };
  });
}

/**
 * Returns the remark below the value. If several evaluations are shown, the remark names the evaluation whose
 * threshold the slider sets.
 */
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

/**
 * Returns the track of the slider. If `isAlone`, there are no strips below it, so the track shows the axis's numbers.
 */
function trackOf(axis: Axis, width: number, isAlone: boolean): Track {
  const ticks = fittingTicks(axis, width, lettersOf(axis));
  return {
    scale: axis,
    steps: stepsOf(axis),
    ticks: isAlone ? ticks : ticks.map((tick) => ({ ...tick, text: "" })),
    width,
  };
}
