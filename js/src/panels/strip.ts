// Draws a strip: the points of one label on an axis, and a heading.

import { createChanges } from "../base/changes.ts";
import { decoration, html, setAttributes, setText, setVisible, svg, uniqueId } from "../base/dom.ts";
import { count, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import { hatchPattern } from "../draw/hatch.ts";
import type { Label } from "../evaluation/types.ts";
import type { Marks, StripSize } from "./dotplot.ts";

/** Space above the stacks in pixels. */
const ABOVE_STACKS = 6;
/** The width of a letter in a strip in pixels, estimated on the high side. */
export const LETTER = 7.2;

export const stripSize = (width: number, height: number): StripSize => ({
  width,
  height: height - ABOVE_STACKS,
  baseline: height - 0.5,
});

/**
 * Makes a strip: the points of one label on an axis. Points are drawn once. Each frame only changes which of them are
 * highlighted.
 */
export function createStrip(label: Label, points: "residual" | "score") {
  // After the number of points outside the axis, a strip of scores writes the word "more". In a strip of
  // residuals, the handles with their ranks leave too little room for it.
  const more = points === "score" ? " more" : "";
  const hatchId = uniqueId("crw-strip-hatch");
  const hatching = svg("rect", { class: "crw-strip-hatch", fill: `url(#${hatchId})` });
  const edges = svg("path", { class: "crw-strip-edges" });
  const zeroLine = svg("path", { class: "crw-strip-zero" });
  const faint = svg("path", { class: "crw-marks crw-faint" });
  const full = svg("path", { class: "crw-marks" });
  const baseline = svg("path", { class: "crw-strip-baseline" });
  const drawing = decoration(
    {},
    svg("defs", {}, hatchPattern(hatchId, `label${label}`)),
    ...[hatching, edges, zeroLine, faint, full, baseline],
  );
  const before = html("span", { class: "crw-beyond crw-text-muted" });
  const after = html("span", { class: "crw-beyond crw-beyond-end crw-text-muted" });
  const words = html("span", { class: "crw-strip-words crw-text-muted" });
  const element = html(
    "div",
    { class: `crw-strip crw-label${label}`, "data-testid": `${points}-strip-${label}` },
    ...[drawing, before, after, words],
  );
  let marks: Marks | null = null;
  let width = 0;
  let bottom = 0;
  const isNews = createChanges();

  function stretch(part: SVGElement, ends: Pair<number> | null) {
    setVisible(part, ends !== null);
    if (ends === null) return;
    const [left, right] = ends.map((end) => clamp(end, 0, width));
    setAttributes(part, { x: left, width: Math.max(right - left, 0) });
  }

  /** Draws vertical lines at positions in pixels. */
  function mark(places: readonly number[]) {
    setVisible(edges, places.length > 0);
    const shown = places.filter((place) => place > 0 && place < width);
    setAttributes(edges, { d: shown.map((place) => `M${place} 0V${bottom}`).join("") });
  }

  return {
    element,
    layOut(next: Marks, size: StripSize, zero: number | null) {
      marks = next;
      width = size.width;
      bottom = size.baseline + 0.5;
      element.style.height = `${bottom}px`;
      for (const part of [drawing, hatching]) setAttributes(part, { height: bottom });
      setAttributes(drawing, { width });
      setAttributes(baseline, { d: `M0 ${size.baseline}H${width}` });
      setAttributes(zeroLine, { d: zero === null ? "" : `M${Math.round(zero) + 0.5} 0V${bottom}` });
      for (const path of [faint, full]) {
        path.classList.toggle("crw-dots", next.kind === "dots");
        path.style.strokeWidth = next.kind === "dots" ? `${next.pitch * 0.87}px` : "0";
      }
      setBeyond(before, next.before, (n) => `‹ ${n}${more}`);
      setBeyond(after, next.after, (n) => `${n}${more} ›`);
    },
    split(from: number, to: number) {
      if (!isNews(marks, from, to) || marks === null) return;
      const { inside, outside } = marks.split(from, to);
      full.setAttribute("d", inside);
      faint.setAttribute("d", outside);
    },
    mark,
    /** Hatches the strip between two positions in pixels. If `ends` is null, there is no hatch. */
    hatch: (ends: Pair<number> | null) => stretch(hatching, ends),
    /**
     * Sets the text of the strip at an end, in the middle, or above a position in pixels. If there is no room, it is
     * hidden.
     */
    setRemark(text: string, isStrong: boolean, at: "left" | "right" | "middle" | number = "middle") {
      setText(words, text);
      words.style.textAlign = at === "left" || at === "right" ? at : "";
      const place = typeof at === "number" ? at : width / 2;
      const half = Math.min(Math.max(Math.min(place, width - place), (LETTER * text.length) / 2), width / 2);
      const left = clamp(place - half, 0, width - 2 * half);
      words.style.left = `${left}px`;
      words.style.right = `${width - left - 2 * half}px`;
      words.classList.toggle("crw-strip-strong", isStrong);
    },
  };
}

/** Shows the number of points outside the axis on one side. If there are none, the element is empty. */
function setBeyond(element: HTMLElement, n: number, said: (n: string) => string) {
  setText(element, n > 0 ? said(count(n)) : "");
}

/** Makes the heading of a strip: the name of the label and its number of points. */
export function createGutter(label: Label) {
  const name = html("b", { class: `crw-class-name crw-cut crw-text-label${label}` });
  const fact = html("span", { class: "crw-text-muted crw-unbroken" });
  return {
    element: html("div", { class: "crw-gutter" }, name, fact),
    setName(text: string) {
      setText(name, shortName(text));
      name.title = text;
    },
    setFact: (text: string) => setText(fact, text),
  };
}
