// Strip: the points of one label on an axis, with its heading.

import { createChanges } from "../base/changes.ts";
import { decoration, html, setAttributes, setText, setVisible, svg, uniqueId } from "../base/dom.ts";
import { count, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import { hatchPattern } from "../draw/hatch.ts";
import type { Label } from "../evaluation/types.ts";
import type { Marks, StripSize } from "./dotplot.ts";

/** Room above the stacks, in pixels. */
const ABOVE_STACKS = 6;
/** Width of a letter of the words in a strip, estimated widely. */
export const LETTER = 7.2;

export const stripSize = (width: number, height: number): StripSize => ({
  width,
  height: height - ABOVE_STACKS,
  baseline: height - 0.5,
});

/** Points of one label on an axis, drawn once; which of them stand out changes with each frame. */
export function createStrip(label: Label, testid: string) {
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
    { class: `crw-strip crw-label${label}`, "data-testid": testid },
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

  /** Lines at places that are on the axis, in pixels. */
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
      setBeyond(before, "‹", next.before);
      setBeyond(after, "›", next.after);
    },
    split(from: number, to: number) {
      if (!isNews(marks, from, to) || marks === null) return;
      const { inside, outside } = marks.split(from, to);
      full.setAttribute("d", inside);
      faint.setAttribute("d", outside);
    },
    mark,
    /** Hatches from one place to another, in pixels. */
    hatch: (ends: Pair<number> | null) => stretch(hatching, ends),
    /** Words at an end or in the middle, or over a place in pixels, as far as the strip has room for them there. */
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

export type Strip = ReturnType<typeof createStrip>;

/** Shows a sign if points lie beyond the axis; the tooltip has their number. */
function setBeyond(element: HTMLElement, sign: string, n: number) {
  setText(element, n > 0 ? sign : "");
  element.title = n > 0 ? `${count(n)} ${n === 1 ? "point" : "points"} beyond the axis` : "";
}

/** The heading of a strip: its label, and how many points it has. */
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
