// Status: who computed the picture, the kernel or the page.

import { decoration, html, setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import type { Picture } from "../shown/picture.ts";

const outline = { fill: "none", stroke: "currentColor", "stroke-width": 1.6 };

/** Word, explanation and shape of each state: states must differ without colour. */
const STATES = {
  preview: {
    word: "Preview",
    title: "The page runs ahead of the kernel",
    shapes: () => [
      svg("circle", { cx: 6, cy: 6, r: 4.2, ...outline }),
      svg("path", { d: "M6 1.8a4.2 4.2 0 0 1 0 8.4z", fill: "currentColor" }),
    ],
  },
  lost: {
    word: "No kernel: run the cell again",
    title: "The kernel that made this chart has gone: the page goes on alone, and Python hears nothing of it",
    shapes: () => [svg("path", { d: "M4.6 7.4 2.8 9.2M7.4 4.6 9.2 2.8M1.4 1.4 10.6 10.6", ...outline })],
  },
  error: {
    word: "Error",
    title: "Something went wrong: see the note",
    shapes: () => [svg("path", { d: "M6 1.6 11 10.4H1z", ...outline })],
  },
};

/** A word on who computed the picture, if there is something to say. */
export function createStatus() {
  const mark = decoration({ width: 12, height: 12 });
  const word = html("span");
  const element = html(
    "span",
    { class: "crw-source crw-row crw-text-muted", "data-testid": "source" },
    mark,
    word,
  );
  return {
    element,
    draw({ source, problem, isLost }: Picture) {
      const state = isLost ? "lost" : problem ? "error" : source === "preview" ? "preview" : null;
      setVisible(element, state !== null);
      if (state === null || element.dataset.state === state) return;
      const { title, shapes } = STATES[state];
      setAttributes(element, { "data-state": state, title });
      setText(word, STATES[state].word);
      mark.replaceChildren(...shapes());
    },
  };
}

/** A sentence on who computes, and how exactly; in a file also on what made it. */
export function sourceText(picture: Picture, isFile: boolean): string {
  if (picture.source !== "static") return "The kernel computes these numbers.";
  const maker = isFile ? " Made with conformal_roc_widget." : "";
  return `This page works on its own, without a kernel: it ${abilityOf(picture)}.${maker}`;
}

function abilityOf({ stops, group }: Picture): string {
  if (stops?.length === 1) return "shows what was saved with it";
  const isExact = group.entries.every(({ whole, curves }) => whole || curves !== null);
  const exactness = isExact ? "exactly as Python would" : "within half a pixel of what Python would draw";
  const at = stops ? `, at ${stops.length} values of α` : "";
  return `computes the numbers itself, ${exactness}${at}`;
}
