import { html, svg, uniqueId } from "../base/dom.ts";
import { createSegments } from "../base/segments.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import type { BandKind } from "../wire/messages.ts";

const BANDS: { kind: BandKind; text: string; icon: string }[] = [
  { kind: "sensitivity", text: "Sensitivity", icon: "M6 1.5v9M3.5 1.5h5M3.5 10.5h5" },
  { kind: "specificity", text: "Specificity", icon: "M1 6h10M1 3.5v5M11 3.5v5" },
  { kind: "both", text: "Both", icon: "M6 1v10M1 6h10" },
];

/** Which of the two bands is drawn. */
export function createBandChoice(controller: Controller, signal: AbortSignal): Component {
  const title = html("span", { class: "crw-choice-title", id: uniqueId("crw-band") }, "Confidence band for");
  const segments = createSegments(
    title.id,
    BANDS.map(({ kind, text, icon }) => ({
      text,
      value: kind,
      icon: svg("svg", { width: 12, height: 12, "aria-hidden": "true" }, svg("path", { d: icon })),
    })),
    (i) => controller.setBand(BANDS[i].kind),
    signal,
  );
  return {
    element: html("div", { class: "crw-choice" }, title, segments.element),
    draw({ band }) {
      segments.choose(BANDS.findIndex(({ kind }) => kind === band));
    },
  };
}
