// Panel of the confidence: its slider, and the residuals of which it picks the limits.

import { createChanges } from "../base/changes.ts";
import { html, setText, setVisible } from "../base/dom.ts";
import { percent, significance } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
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
import type { Tick } from "./strip_axis.ts";
import { createStripPanel, type StripPanel } from "./strip_panel.ts";

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
    // A curve to guess from has no limits that a confidence could move.
    setVisible(panel.element, picture.page.reveal);
    panel.setValue(percent(1 - wanted.alpha));
    panel.setRemark(`α = ${significance(wanted.alpha)}`);
    setText(often, oftenWords(wanted.alpha));
    setVisible(often, picture.band !== "ideal" && !isBare(picture));
    const entries = isOverview(picture) ? group.entries : [evaluation];
    // Conformal limits alone may be missing: other bands have limits at every level.
    slider.draw(wanted.alpha, showsConformal(picture) ? { missing: missingBelow(entries) } : {});
    residuals.draw(picture);
  }

  return { ...panel, draw };
}

type Pixels = StripPanel["pixels"];

/** How often such limits hold, in whole numbers. */
export function oftenWords(alpha: number): string {
  const all = Number.isInteger(Number((100 * alpha).toFixed(6))) ? 100 : 1000;
  return words("confidence.often", { some: Math.round((1 - alpha) * all), all });
}

/** The track: all alphas, or only the stops. */
const trackOf = (stops: readonly number[] | null, { slider: width, letters }: Pixels): Track => ({
  scale: stops ? { ...alphaScale, min: stops[0], max: stops[stops.length - 1] } : alphaScale,
  steps: stops ? stopSteps(stops) : alphaSteps,
  ticks: confidenceTicks(width, letters),
  width,
});

const TICKS = [0.001, 0.01, 0.05, 0.1, 0.2, 0.5];
/** Alphas in the order in which their labels get room. An alpha without room has only a tick. */
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
