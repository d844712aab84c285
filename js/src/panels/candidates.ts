import { html, setVisible } from "../base/dom.ts";
import { count, percent, range, rate } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, linearAxis } from "../base/scale.ts";
import type { Component, Picture } from "../sync/view_model.ts";
import { marksOf } from "./dotplot.ts";
import { DEFAULT_TRACK, watchWidth } from "./panel.ts";
import { tickElement } from "./slider.ts";
import { createGutter, createStrip, stripSize } from "./strip.ts";
import { fittingTicks, residualTick, roundTicks, scoreTick } from "./strip_axis.ts";

const MARGIN = 0.06;

/** The areas of the candidates, and their gains over the classifier, in place of residuals. */
export function createCandidates(signal: AbortSignal): Component {
  const rows = [
    createRow("Ideal AUC", "ideal-auc", scoreTick),
    createRow("Gain left", "ideal-gain", residualTick),
  ] as const;
  const element = html(
    "div",
    { class: "crw-significance crw-residuals crw-candidates" },
    ...rows.flatMap(({ elements }) => elements),
  );
  let width = DEFAULT_TRACK;
  let last: Picture | null = null;

  function draw(picture: Picture) {
    last = picture;
    const { ideal, evaluation } = picture;
    const curve = typeof ideal === "string" ? null : ideal;
    setVisible(element, curve !== null);
    if (curve === null) return;
    const { auc, gain } = curve.table;
    const facts = [`${count(auc.length)} candidates`, `${percent(1 - curve.alpha)} inside`];
    rows[0].draw(auc, curve.auc, evaluation.auc, `this classifier ${rate(evaluation.auc)}`, facts, width);
    rows[1].draw(gain, curve.gain, 0, "no gain at 0", ["ideal less", "classifier, paired"], width);
  }

  watchWidth(
    rows[0].strip.element,
    (found) => {
      if (found === width) return;
      width = found;
      if (last !== null) draw(last);
    },
    signal,
  );
  return { element, draw };
}

function createRow(name: string, testid: string, tick: (value: number) => string) {
  const gutter = createGutter(1);
  const strip = createStrip(1, testid);
  const ticks = html("div", { class: "crw-ticks", "aria-hidden": "true" });
  const axisName = html("div", { class: "crw-axis-name" }, html("span"));
  let drawn: { values: Float32Array; width: number; axis: Axis } | null = null;
  gutter.setName(name);

  function layOut(values: Float32Array, reference: number, width: number): Axis {
    if (drawn?.values === values && drawn.width === width) return drawn.axis;
    const low = Math.min(reference, values[0]);
    const high = Math.max(reference, values[values.length - 1], low + 1e-6);
    const [min, max] = [low - MARGIN * (high - low), high + MARGIN * (high - low)];
    const axis = linearAxis(min, max, roundTicks(min, max));
    const size = stripSize(width);
    const [marks] = marksOf([{ n: values.length, values }], axis.toFraction, size);
    strip.layOut(marks, size, axis.toFraction(reference) * width);
    ticks.replaceChildren(...fittingTicks(axis, width, tick).map((each) => tickElement(each, width)));
    drawn = { values, width, axis };
    return axis;
  }

  return {
    strip,
    elements: [gutter.element, strip.element, axisName, html("div", { class: "crw-strip-axis" }, ticks)],
    draw(
      values: Float32Array,
      limits: Pair<number>,
      reference: number,
      remark: string,
      facts: string[],
      width: number,
    ) {
      const axis = layOut(values, reference, width);
      strip.hatch(null);
      strip.split(...limits);
      strip.shade([axis.toFraction(limits[0]) * width, axis.toFraction(limits[1]) * width], false);
      strip.setRemark(`${range(...limits)}; ${remark}`, false);
      gutter.setFacts(...facts);
    },
  };
}
