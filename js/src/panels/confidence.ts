// Makes the panel of the confidence: its slider, and the calibration residuals.

import { createChanges } from "../base/changes.ts";
import { html, setText, setVisible } from "../base/dom.ts";
import { percent, significance } from "../base/format.ts";
import { alphaScale, clamp } from "../base/scale.ts";
import { ALPHA_STOPS, alphaSteps, stopSteps } from "../base/steps.ts";
import { words } from "../base/words.ts";
import type { Evaluation, Rule, Unranked } from "../evaluation/types.ts";
import { isBare } from "../shown/goal.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { showsConformal } from "../views/roc.ts";
import { alphaValueText } from "../words/one_evaluation.ts";
import { isOverview, type Panel } from "./panel.ts";
import { createResidualStrips } from "./residual_strips.ts";
import { createSlider, type MissingLimits, type Track } from "./slider.ts";
import { type Tick, withRoom } from "./strip_axis.ts";
import { createStripPanel, type StripPanel } from "./strip_panel.ts";

/**
 * Makes the panel of the confidence: its slider, and a strip of the calibration residuals of each label. The residuals
 * that are limits at this confidence are marked.
 */
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
      axisName: ["in log-odds"],
      redraw: () => last && draw(last),
    },
    signal,
  );
  const { pixels } = panel;
  const often = html("div", { class: "crw-often crw-small crw-text-muted" });
  panel.element.append(often);
  const residuals = createResidualStrips(panel, controller, signal);
  const isNewTrack = createChanges();
  let last: Picture | null = null;

  function draw(picture: Picture) {
    last = picture;
    const { evaluation, wanted, group, stops } = picture;
    if (isNewTrack(stops?.join(), pixels.slider, pixels.letters)) slider.setTrack(trackOf(stops, pixels));
    // If `reveal` is false, limits are hidden until Python reveals them. The slider of the confidence is then
    // hidden too.
    setVisible(panel.element, picture.page.reveal);
    panel.setValue(percent(1 - wanted.alpha));
    panel.setRemark(`α = ${significance(wanted.alpha)}`);
    const isHardly = showsConformal(picture) && picture.frame.kind === "everywhere";
    setText(often, oftenWords(wanted.alpha, isHardly ? "confidence.hardly" : "confidence.often"));
    setVisible(often, picture.band !== "ideal" && !isBare(picture));
    const entries = isOverview(picture) ? group.entries : [evaluation];
    // Only conformal limits can be missing. Other bands have limits at every confidence.
    slider.draw(wanted.alpha, showsConformal(picture) ? { missing: missingBelow(entries) } : {});
    residuals.draw(picture);
  }

  return { ...panel, draw };
}

type Pixels = StripPanel["pixels"];

/**
 * Writes how often limits at an alpha hold, such as "19 of 20". The key "confidence.hardly" is for limits at every
 * threshold, which get only about 8 % narrower from 95 % to 80 % confidence.
 */
export function oftenWords(alpha: number, key: "confidence.often" | "confidence.hardly"): string {
  const all = Number.isInteger(Number((100 * alpha).toFixed(6))) ? 100 : 1000;
  return words(key, { some: Math.round((1 - alpha) * all), all });
}

/** Returns the track of the slider. If `stops` is given, only these alphas can be set. */
const trackOf = (stops: readonly number[] | null, { slider: width, letters }: Pixels): Track => ({
  scale: stops ? { ...alphaScale, min: stops[0], max: stops[stops.length - 1] } : alphaScale,
  steps: stops ? stopSteps(stops) : alphaSteps,
  ticks: confidenceTicks(width, letters),
  width,
});

const TICKS = [0.001, 0.01, 0.05, 0.1, 0.2, 0.5];
/**
 * The order in which alphas get a text below their tick. If there is no room for an alpha's text, it has only a tick.
 */
const LETTERED = [0.05, 0.001, 0.5, 0.01, 0.1];
/**
 * The width in pixels of a character below a tick: with the page's font, and with a font that the user's
 * settings make larger or wider. The second width is larger than the ratio of the fonts says, because a
 * minimum font size enlarges small characters most.
 */
const [TICK_CHAR, TICK_CHAR_WIDER] = [6.2, 7.4];
const TICK_GAP = 6;

/** Returns the text of a tick: the confidence and, on the next line, alpha. The first tick also has "α =". */
const textOf = (alpha: number) => `${percent(1 - alpha)}\n${alpha === TICKS[0] ? "α = " : ""}${alpha}`;

/**
 * Returns the ticks, each with its confidence and alpha. If the text of a tick would touch another text, the
 * tick has none.
 */
export function confidenceTicks(width: number, letters = 1): Tick[] {
  const at = (value: number) => alphaScale.toFraction(value) * width;
  const boxOf = (value: number) => {
    const lines = textOf(value).split("\n");
    const long = Math.max(...lines.map((line) => line.length));
    const wide = long * (letters > 1 ? TICK_CHAR_WIDER * letters : TICK_CHAR);
    const left = clamp(at(value) - wide / 2, 0, width - wide);
    return [left, left + wide] as const;
  };
  const lettered = withRoom(LETTERED, boxOf, TICK_GAP);
  return TICKS.map((value) => ({ value, text: lettered.includes(value) ? textOf(value) : "", x: at(value) }));
}

/**
 * Returns the alpha below which some label of the evaluations has no limits (`none`), and the alpha below
 * which some label has only one limit (`one`).
 */
export function missingBelow(evaluations: Evaluation[]): MissingLimits {
  const none = evaluations.flatMap(({ vacuousBelow }) => [...vacuousBelow]);
  const one = evaluations.flatMap(({ vacuousBelow, rule, unranked }) =>
    unranked ? unranked.map(bothFrom) : vacuousBelow.map((alpha) => alpha * BOTH_FROM[rule]),
  );
  return { none: Math.max(...none), one: Math.max(...one) };
}

/**
 * Returns the smallest of ALPHA_STOPS at which both limits exist. If there is none, returns a number above all of them.
 */
function bothFrom({ stops }: Unranked): number {
  const first = ALPHA_STOPS.findIndex(
    (_, i) => Number.isFinite(stops[2 * i]) && Number.isFinite(stops[2 * i + 1]),
  );
  return first < 0 ? 1 : ALPHA_STOPS[first];
}

/**
 * For each rule of the order statistics: the smallest alpha with both limits, divided by the smallest alpha with one
 * limit.
 */
const BOTH_FROM: Record<Rule, number> = { paper: 4, split: 1 };
