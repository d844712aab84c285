import { html, setText, svg } from "./dom.ts";
import type { Part } from "./part.ts";
import { title } from "./text.ts";

const WORDS = { kernel: "Kernel", preview: "Preview", error: "Error" };

/** A shape for each word: they must differ without colour. */
const MARKS = {
  kernel: () => [svg("circle", { cx: 6, cy: 6, r: 5, fill: "currentColor" })],
  preview: () => [
    svg("circle", { cx: 6, cy: 6, r: 4.2, fill: "none", stroke: "currentColor", "stroke-width": 1.6 }),
    svg("path", { d: "M6 1.8a4.2 4.2 0 0 1 0 8.4z", fill: "currentColor" }),
  ],
  error: () => [
    svg("path", { d: "M6 1.6 11 10.4H1z", fill: "none", stroke: "currentColor", "stroke-width": 1.6 }),
  ],
};

/** The title, and where the picture comes from. */
export function createHeader(): Part {
  const heading = html("h2");
  const mark = svg("svg", { width: 12, height: 12, "aria-hidden": "true" });
  const word = html("span");
  const indicator = html("span", { class: "crw-source" }, mark, word);
  return {
    element: html("header", { class: "crw-header" }, heading, indicator),
    draw({ frame, band, source, problem }, width) {
      setText(heading, title(frame.alpha, band, width === "narrow"));
      const state = problem ? "error" : source;
      if (indicator.dataset.state === state) return;
      indicator.dataset.state = state;
      setText(word, WORDS[state]);
      mark.replaceChildren(...MARKS[state]());
    },
  };
}
