// Makes a panel: a slider with its value and, below it, a strip of points for each label.

import { createChanges } from "../base/changes.ts";
import { html, setText } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import type { Axis } from "../base/scale.ts";
import { render } from "../base/template.ts";
import { watchWidth } from "../base/width_watcher.ts";
import { type Evaluation, LABELS } from "../evaluation/types.ts";
import { className } from "../words/one_evaluation.ts";
import { marksOf } from "./dotplot.ts";
import type { Room } from "./panel.ts";
import { type Slider, ticksOf } from "./slider.ts";
import { createGutter, createStrip, stripSize } from "./strip.ts";
import { fittingTicks, type Points } from "./strip_axis.ts";

/** The width of a track in pixels until it is measured. */
const DEFAULT_TRACK = 344;
/** A longer value is written in small letters. */
const MOST_LETTERS = 7;

interface Spec {
  setting: "confidence" | "threshold";
  title: string;
  slider: Slider;
  points: "residual" | "score";
  axisName: (Node | string)[];
  /** Called when a width has changed. */
  redraw(): void;
}

/** What the strips of an evaluation show. */
interface Content {
  axis: Axis;
  points: Pair<Points>;
  letters(tick: number): string;
  /** The position of zero in pixels. Null if zero is outside the axis. */
  zero: number | null;
}

export function createStripPanel(
  { setting, title, slider, points, axisName, redraw }: Spec,
  signal: AbortSignal,
) {
  const rows = LABELS.map((label) => ({
    label,
    gutter: createGutter(label),
    strip: createStrip(label, points),
  }));
  const ticks = html("div", { class: "crw-ticks crw-text-muted", "aria-hidden": "true" });
  const axis = html("div", { class: "crw-strip-axis crw-text-muted" }, ticks);
  const name = html("div", { class: "crw-axis-name crw-text-muted" }, ...axisName);
  const parts = rows.flatMap(({ gutter, strip }) => [gutter.element, strip.element]);
  const strips = html("div", { class: `crw-small crw-strips crw-${points}s` }, ...parts, name, axis);
  const value = html("span", { class: "crw-value crw-unbroken" });
  const remark = html("span", { class: "crw-remark crw-text-muted crw-unbroken" });
  const heading = html("h3", { class: "crw-text-muted crw-unbroken" }, title);
  const head = html("div", { class: "crw-setting-head crw-small" }, heading, value, remark);
  const pixels = { slider: DEFAULT_TRACK, strip: DEFAULT_TRACK, height: 0, letters: 1 };
  const isNews = createChanges();

  watchWidth(
    [slider.element, rows[0].strip.element],
    ([slides, strip]) => {
      pixels.slider = slides || pixels.slider;
      pixels.strip = strip || pixels.strip;
      redraw();
    },
    signal,
  );
  return {
    element: html("section", { class: `crw-setting crw-${setting}` }, head, slider.element),
    ...{ head, strips, name, axis, rows, pixels },
    setValue(text: string) {
      setText(value, text);
      value.classList.toggle("crw-value-long", text.length > MOST_LETTERS);
    },
    setRemark(text: string, about = "") {
      setText(remark, text);
      remark.title = about;
    },
    setRoom(room: Room) {
      pixels.height = room[`${points}s`];
      pixels.letters = room.letters;
    },
    /**
     * Draws the strips again if the evaluation, the available room or one of `others` has changed. Returns whether this
     * was so.
     */
    layOut(evaluation: Evaluation, contentOf: () => Content, ...others: unknown[]): boolean {
      if (!isNews(evaluation, pixels.strip, pixels.slider, pixels.height, ...others)) return false;
      const content = contentOf();
      const size = stripSize(pixels.strip, pixels.height);
      const marks = marksOf(
        rows.map(({ label }) => content.points[label]),
        content.axis.toFraction,
        size,
      );
      rows.forEach(({ label, gutter, strip }, i) => {
        strip.layOut(marks[i], size, content.zero);
        gutter.setName(className(label, evaluation.classes));
      });
      const fitting = fittingTicks(content.axis, pixels.strip, content.letters);
      render(ticksOf(fitting, pixels.strip), ticks);
      return true;
    },
  };
}

export type StripPanel = ReturnType<typeof createStripPanel>;
export type StripRow = StripPanel["rows"][number];
