// Makes the slider of the horizon, if the data have several. An event counts if it happens by the horizon.

import { createChanges } from "../base/changes.ts";
import { html, setText, setVisible } from "../base/dom.ts";
import { nearest } from "../base/nearest.ts";
import { linear } from "../base/scale.ts";
import { stopSteps } from "../base/steps.ts";
import { watchWidth } from "../base/width_watcher.ts";
import { hasTimes, horizonText, numberText, unitAt } from "../evaluation/horizons.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { createSlider } from "./slider.ts";
import { type Tick, withRoom } from "./strip_axis.ts";

const DEFAULT_TRACK = 344;
const CHAR = 6.8;
const GAP = 10;

/** Makes the slider "By". Its track is a time axis, on which only the horizons can be set. */
export function createHorizon(controller: Controller, signal: AbortSignal): Component {
  let stops: number[] = [];
  let unit = "";
  let chosen = 0;
  const slider = createSlider(
    {
      name: "horizon",
      label: "By: the time by which an event counts",
      valueText: (horizon) => horizonText({ horizon, unit }),
      wanted: () => chosen,
      set(horizon) {
        const place = nearest(stops, horizon);
        chosen = stops[place];
        controller.show(place);
      },
    },
    controller,
    signal,
  );
  const value = html("span", { class: "crw-value crw-unbroken" });
  const remark = html("span", { class: "crw-remark crw-text-muted crw-unbroken" });
  const heading = html("h3", { class: "crw-text-muted crw-unbroken" }, "By");
  const current = html("div", { class: "crw-time" }, value, remark);
  const head = html("div", { class: "crw-setting-head crw-small" }, heading, current);
  const element = html("section", { class: "crw-setting crw-horizon" }, head, slider.element);
  const isNewTrack = createChanges();
  let width = DEFAULT_TRACK;
  let last: Picture | null = null;
  watchWidth(
    [slider.element],
    ([found]) => {
      width = found || width;
      if (last) draw(last);
    },
    signal,
  );

  function draw(picture: Picture) {
    last = picture;
    const { group, evaluation } = picture;
    const isThere = hasTimes(group);
    setVisible(element, isThere);
    if (!isThere || evaluation.followed === null) return;
    const { horizon } = evaluation.followed;
    chosen = horizon;
    unit = evaluation.followed.unit;
    stops = group.entries.map(({ followed }) => followed?.horizon ?? 0);
    if (isNewTrack(stops.join(), horizon, width)) slider.setTrack(trackOf(stops, horizon, width));
    setText(value, numberText(horizon));
    setText(remark, unitAt(horizon, unit));
    slider.draw(horizon);
  }

  return { element, draw };
}

function trackOf(stops: readonly number[], horizon: number, width: number) {
  const last = stops[stops.length - 1];
  const scale = linear(0, last);
  const steps = stopSteps(stops, nearest);
  const at = (value: number) => scale.toFraction(value) * width;
  return { scale, steps, ticks: letters(stops, horizon, at), width, ends: [stops[0], last] as const, stops };
}

/**
 * Returns the ticks of the horizons. If there is room, the chosen, the last and the first horizon have a
 * tick. The slider also has a dot for every horizon. If the user points at a dot, its horizon is shown.
 */
function letters(stops: readonly number[], horizon: number, at: (value: number) => number): Tick[] {
  const boxOf = (value: number) => {
    const wide = numberText(value).length * CHAR;
    return [at(value) - wide / 2, at(value) + wide / 2] as const;
  };
  const wished = [...new Set([horizon, stops[stops.length - 1], stops[0]])];
  return withRoom(wished, boxOf, GAP).map((value) => ({ value, text: numberText(value), x: at(value) }));
}
