// Panel of the horizon: by when an event counts, where there are several times to choose from.

import { createChanges } from "../base/changes.ts";
import { html, setText, setVisible } from "../base/dom.ts";
import { linear } from "../base/scale.ts";
import { nextStop, type Steps } from "../base/steps.ts";
import { watchWidth } from "../base/width_watcher.ts";
import { hasTimes, horizonText, numberText, unitAt } from "../evaluation/horizons.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { createSlider } from "./slider.ts";
import type { Tick } from "./strip_axis.ts";

const DEFAULT_TRACK = 344;
const CHAR = 6.8;
const GAP = 10;

/** The slider "By": from stop to stop at their true distance, and nothing between them. */
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
  const steps: Steps = {
    grid: (value) => stops[nearest(stops, value)],
    arrow: (value, sign) => nextStop(stops, value, sign),
    page: (value, sign) => nextStop(stops, nextStop(stops, value, sign), sign),
  };
  const at = (value: number) => scale.toFraction(value) * width;
  return { scale, steps, ticks: letters(stops, horizon, at), width, ends: [stops[0], last] as const, stops };
}

/** The chosen stop, the last and the first are lettered where they have room; others on hover. */
function letters(stops: readonly number[], horizon: number, at: (value: number) => number): Tick[] {
  const taken: [number, number][] = [];
  const ticks: Tick[] = [];
  for (const value of new Set([horizon, stops[stops.length - 1], stops[0]])) {
    const text = numberText(value);
    const wide = text.length * CHAR;
    const left = at(value) - wide / 2;
    if (taken.some(([from, to]) => left < to + GAP && from < left + wide + GAP)) continue;
    taken.push([left, left + wide]);
    ticks.push({ value, text, x: at(value) });
  }
  return ticks;
}

/** Index of the nearest stop. */
function nearest(stops: readonly number[], value: number): number {
  const away = stops.map((stop) => Math.abs(stop - value));
  return away.indexOf(Math.min(...away));
}
