// Strip of the areas under the curve of the redraws, with their limits.

import { html, setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import { areaText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { clamp, linearAxis } from "../base/scale.ts";
import { watchWidth } from "../base/width_watcher.ts";
import type { Picture } from "../shown/picture.ts";
import { redrawsOf, sampledArea } from "../shown/sampled_area.ts";
import type { Redraws } from "../wire/decode_comparators.ts";
import { tickElement } from "./slider.ts";
import { fittingTicks } from "./strip_axis.ts";

/** The axis has this many parts; its ends and its middle are lettered. */
const PARTS = 4;
/** Distances: between the two strips that this one replaces, above the bars, and between bars. */
const ROWS = 12;
const ABOVE = 20;
const GAP = 1;
/** Distance of a number from its limit, and the width of a number. */
const BESIDE = 6;
const NUMBER = 38;
const CAPTION = 290;

export function createAreaStrip(redraw: () => void, signal: AbortSignal) {
  const value = html("span", { class: "crw-value crw-unbroken" });
  const gutter = html(
    "div",
    { class: "crw-gutter crw-area-gutter" },
    html("span", { class: "crw-text-muted" }),
    value,
  );
  const pale = svg("path", { class: "crw-area-bars crw-faint" });
  const solid = svg("path", { class: "crw-area-bars" });
  const here = svg("path", { class: "crw-area-here" });
  const ends = svg("path", { class: "crw-area-limits", "data-testid": "area-limits" });
  const base = svg("path", { class: "crw-strip-baseline" });
  // Before it is drawn it takes no room, where a drawing without a width would take 300 pixels.
  const drawing = svg(
    "svg",
    { role: "img", "data-testid": "area-bars", width: 0 },
    pale,
    solid,
    here,
    ends,
    base,
  );
  const numbers = [html("b", { class: "crw-area-limit" }), html("b", { class: "crw-area-limit" })] as const;
  const wait = html("span", { class: "crw-strip-words crw-text-muted" });
  const strip = html("div", { class: "crw-strip" }, drawing, ...numbers, wait);
  const ticks = html("div", { class: "crw-ticks crw-text-muted", "aria-hidden": "true" });
  const caption = html("span", { class: "crw-area-caption" });
  const axis = html("div", { class: "crw-strip-axis crw-text-muted" }, ticks, caption);
  const parts = [gutter, strip, html("div", { class: "crw-axis-name" }), axis];
  const element = html("div", { class: "crw-small crw-strips crw-residuals crw-area-strip" }, ...parts);
  let width = 0;
  setText(gutter.firstElementChild as HTMLElement, "AUC");
  watchWidth(
    [strip],
    ([wide]) => {
      width = wide || width;
      redraw();
    },
    signal,
  );

  function drawBars(redraws: Redraws, auc: number, limits: Pair<number> | null, height: number) {
    const { low, high, counts } = redraws;
    const bar = (high - low) / counts.length;
    const x = (area: number) => clamp((area - low) / (high - low), 0, 1) * width;
    const most = Math.max(...counts);
    const isInside = (i: number) =>
      !limits || (low + (i + 0.5) * bar >= limits[0] && low + (i + 0.5) * bar <= limits[1]);
    const pathOf = (isSolid: boolean) =>
      counts
        .flatMap((n, i) => {
          if (n === 0 || isInside(i) !== isSolid) return [];
          const [left, right] = [x(low + i * bar), x(low + (i + 1) * bar)].map(
            (each) => Math.round(each * 10) / 10,
          );
          const top = Math.round(10 * (height - ((height - ABOVE) * n) / most)) / 10;
          return [`M${left} ${height}V${top}H${Math.max(right - GAP, left + 0.5)}V${height}Z`];
        })
        .join("");
    setAttributes(solid, { d: pathOf(true) });
    setAttributes(pale, { d: pathOf(false) });
    setAttributes(here, { d: `M${x(auc)} 0V${height}` });
    setAttributes(ends, { d: limits ? limits.map((limit) => `M${x(limit)} 0V${height}`).join("") : "" });
    const text = areaText([auc, ...(limits ?? [])]);
    numbers.forEach((number, i) => {
      setVisible(number, limits !== null);
      if (limits === null) return;
      setText(number, text(limits[i]));
      const at = x(limits[i]);
      // Width of the part outside the limits.
      const out = Math.max((i === 0 ? at : width - at) - BESIDE - NUMBER, 0);
      number.style[i === 0 ? "left" : "right"] = `${Math.round(out)}px`;
    });
    const steps = Array.from({ length: PARTS + 1 }, (_, i) => low + (i * (high - low)) / PARTS);
    const scale = linearAxis(low, high, steps);
    const letters = (area: number) => (steps.indexOf(area) % 2 === 0 ? tickText(area) : "");
    ticks.replaceChildren(...fittingTicks(scale, width, letters).map((tick) => tickElement(tick, width)));
  }

  return {
    element,
    /** Draws the strip, as high as the two strips of this height that it replaces. */
    draw(picture: Picture, rowHeight: number) {
      const redraws = redrawsOf(picture);
      const { auc } = picture.evaluation;
      const limits = sampledArea(picture);
      const text = areaText([auc, ...(limits ?? [])]);
      const height = 2 * rowHeight + ROWS;
      setText(value, text(auc));
      setAttributes(drawing, {
        ...{ width, height },
        "aria-label": limits
          ? `AUC ${text(auc)}, ${limits.map(text).join(" to ")} with more test data`
          : `AUC ${text(auc)}`,
      });
      setAttributes(base, { d: `M0 ${height - 0.5}H${width}` });
      if (!redraws) for (const part of [pale, solid, here, ends]) setAttributes(part, { d: "" });
      setVisible(axis, redraws !== null);
      setText(
        caption,
        width < CAPTION ? "AUC if drawn again" : "AUC if these rows were drawn again and again",
      );
      const reason = picture.asking ? "waits for the kernel" : "being drawn";
      setText(wait, redraws ? "" : picture.source === "static" ? "this page holds no redraws" : reason);
      if (redraws && width > 0) drawBars(redraws, auc, limits, height);
      else for (const number of numbers) setVisible(number, false);
    },
  };
}

/** An end of the axis with as many decimals as it needs. */
const tickText = (area: number) => String(Number(area.toPrecision(6)));
