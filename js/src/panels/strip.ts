import { decoration, html, setAttributes, setText, setVisible, svg, uniqueId } from "../base/dom.ts";
import { count } from "../base/format.ts";
import { clamp } from "../base/scale.ts";
import type { Label } from "../evaluation/types.ts";
import { hatchPattern } from "../plot/hatch.ts";
import type { Marks, StripSize } from "./dotplot.ts";

export const STRIP_HEIGHT = 48;
/** The stacks leave room above them. */
const STACK_HEIGHT = 42;

export const stripSize = (width: number): StripSize => ({
  width,
  height: STACK_HEIGHT,
  baseline: STRIP_HEIGHT - 0.5,
});

/** Points of one label on an axis, drawn once; which of them stand out changes with each frame. */
export interface Strip {
  element: HTMLElement;
  layOut(marks: Marks, size: StripSize, zero: number | null): void;
  split(from: number, to: number): void;
  /** Shades from one place to another, in pixels; an edge is drawn at an end that is on the axis. */
  shade(ends: readonly [number, number] | null, isFilled: boolean): void;
  /** From one place to another, in pixels. */
  hatch(ends: readonly [number, number] | null): void;
  setRemark(remark: string, isStrong: boolean, side?: "left" | "right" | "middle"): void;
}

export function createStrip(label: Label, testid: string): Strip {
  const hatchId = uniqueId("crw-strip-hatch");
  const hatching = svg("rect", { class: "crw-strip-hatch", fill: `url(#${hatchId})`, height: STRIP_HEIGHT });
  const shading = svg("rect", { class: "crw-strip-shade", y: 0, height: STRIP_HEIGHT });
  const edges = svg("path", { class: "crw-strip-edges" });
  const zeroLine = svg("path", { class: "crw-strip-zero" });
  const faint = svg("path", { class: "crw-marks crw-faint" });
  const full = svg("path", { class: "crw-marks" });
  const baseline = svg("path", { class: "crw-strip-baseline" });
  const drawing = decoration(
    { height: STRIP_HEIGHT },
    svg("defs", {}, hatchPattern(hatchId, `crw-label${label}`)),
    hatching,
    shading,
    edges,
    zeroLine,
    faint,
    full,
    baseline,
  );
  const before = html("span", { class: "crw-beyond" });
  const after = html("span", { class: "crw-beyond crw-beyond-end" });
  const words = html("span", { class: "crw-strip-words" });
  const element = html(
    "div",
    { class: `crw-strip crw-strip-label${label}`, "data-testid": testid },
    drawing,
    before,
    after,
    words,
  );
  let marks: Marks | null = null;
  let width = 0;
  let drawn = "";

  return {
    element,
    layOut(next, size, zero) {
      marks = next;
      width = size.width;
      drawn = "";
      setAttributes(drawing, { width });
      setAttributes(baseline, { d: `M0 ${STRIP_HEIGHT - 0.5}H${width}` });
      setAttributes(zeroLine, { d: zero === null ? "" : `M${Math.round(zero) + 0.5} 6V${STRIP_HEIGHT}` });
      for (const path of [faint, full]) {
        path.classList.toggle("crw-dots", next.kind === "dots");
        path.style.strokeWidth = next.kind === "dots" ? `${next.pitch * 0.87}px` : "0";
      }
      setText(before, next.before > 0 ? `‹ ${count(next.before)}` : "");
      setText(after, next.after > 0 ? `${count(next.after)} ›` : "");
      before.style.bottom = above(next.heights.start);
      after.style.bottom = above(next.heights.end);
    },
    split(from, to) {
      if (marks === null || drawn === `${from} ${to}`) return;
      drawn = `${from} ${to}`;
      const { inside, outside } = marks.split(from, to);
      full.setAttribute("d", inside);
      faint.setAttribute("d", outside);
    },
    shade(ends, isFilled) {
      setVisible(shading, ends !== null && isFilled);
      setVisible(edges, ends !== null);
      if (ends === null) return;
      const [left, right] = ends.map((end) => clamp(end, 0, width));
      setAttributes(shading, { x: left, width: Math.max(right - left, 0) });
      const shown = ends.filter((end) => end > 0 && end < width);
      setAttributes(edges, { d: shown.map((end) => `M${end} 0V${STRIP_HEIGHT}`).join("") });
    },
    hatch(ends) {
      setVisible(hatching, ends !== null);
      if (ends === null) return;
      const [left, right] = ends.map((end) => clamp(end, 0, width));
      setAttributes(hatching, { x: left, width: Math.max(right - left, 0) });
    },
    setRemark(text, isStrong, side = "middle") {
      setText(words, text);
      words.style.textAlign = { left: "left", right: "right", middle: "" }[side];
      words.classList.toggle("crw-strip-strong", isStrong);
    },
  };
}

/** How far the words of the handles reach into a strip, and the height of a number under them. */
const UNDER_THE_WORDS = 10 + 16;

const above = (height: number) => `${Math.round(Math.min(height + 2, STRIP_HEIGHT - UNDER_THE_WORDS))}px`;

/** More characters than this are set smaller, to stay in the gutter. */
const GUTTER_CHARACTERS = 16;

/** A longer name is cut in the middle; its tooltip has all of it. */
const NAME_CHARACTERS = 14;

export function shortName(name: string): string {
  if (name.length <= NAME_CHARACTERS) return name;
  return `${name.slice(0, NAME_CHARACTERS / 2)}…${name.slice(1 - NAME_CHARACTERS / 2)}`;
}

/** The heading of a strip, beside or above it: its label and the facts about its points. */
export interface Gutter {
  element: HTMLElement;
  setName(name: string): void;
  setFacts(...facts: string[]): void;
}

export function createGutter(label: Label): Gutter {
  const name = html("b", { class: `crw-text-label${label}` });
  const facts = html("div", { class: "crw-gutter-facts" });
  return {
    element: html(
      "div",
      { class: `crw-gutter crw-gutter-label${label}` },
      html("div", { class: "crw-gutter-name" }, name),
      facts,
    ),
    setName(text) {
      setText(name, shortName(text));
      name.title = text;
    },
    setFacts(...texts) {
      while (facts.children.length < texts.length) facts.append(html("span"));
      while (facts.children.length > texts.length) facts.lastChild?.remove();
      texts.forEach((text, i) => {
        setText(facts.children[i], text);
        facts.children[i].classList.toggle("crw-small", text.length > GUTTER_CHARACTERS);
      });
    },
  };
}
