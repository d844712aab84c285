import { html, setVisible, svg, uniqueId } from "../base/dom.ts";
import { createSegments } from "../base/segments.ts";
import { showArc, showsArc } from "../sync/arc_choice.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import type { BandKind } from "../wire/messages.ts";

const BANDS: { kind: BandKind; text: string; icon: string }[] = [
  { kind: "sensitivity", text: "Sensitivity", icon: "M6 1.5v9M3.5 1.5h5M3.5 10.5h5" },
  { kind: "specificity", text: "Specificity", icon: "M1 6h10M1 3.5v5M11 3.5v5" },
  { kind: "both", text: "Both", icon: "M6 1v10M1 6h10" },
  { kind: "ideal", text: "Ideal model’s curve", icon: "M1.5 11C2 5 5 2 11 1.5" },
];

const ARC = [
  { isArc: true, text: "Arc along the curve", icon: "M1.5 11C2 5 5 2 11 1.5" },
  { isArc: false, text: "Band at fixed thresholds", icon: "M6 1.5v9M3.5 1.5h5M3.5 10.5h5" },
];

/** Of an ideal recalibration: the arc on which it stands, or its rates at each threshold. */
export function createArcChoice(controller: Controller, redraw: () => void, signal: AbortSignal): Component {
  const title = html("span", { class: "crw-choice-title", id: uniqueId("crw-arc") }, "Show");
  const segments = createSegments(
    title.id,
    ARC.map(({ isArc, text, icon }) => ({
      text,
      value: isArc ? "arc" : "band",
      icon: svg("svg", { width: 12, height: 12, "aria-hidden": "true" }, svg("path", { d: icon })),
    })),
    (i) => {
      showArc(controller, ARC[i].isArc);
      redraw();
    },
    signal,
  );
  const element = html("div", { class: "crw-choice" });
  return {
    element,
    draw(picture) {
      const { simultaneous } = picture.evaluation;
      setVisible(element, simultaneous);
      if (simultaneous && !element.firstChild) element.append(title, segments.element);
      segments.choose(showsArc(controller, picture) ? 0 : 1);
    },
  };
}

/** Which of the two bands is drawn. */
export function createBandChoice(controller: Controller, signal: AbortSignal): Component {
  const title = html("span", { class: "crw-choice-title", id: uniqueId("crw-band") }, "Show");
  const segments = createSegments(
    title.id,
    BANDS.map(({ kind, text, icon }) => ({
      text,
      value: kind,
      icon: svg("svg", { width: 12, height: 12, "aria-hidden": "true" }, svg("path", { d: icon })),
    })),
    (i) => controller.choose({ band: BANDS[i].kind }),
    signal,
  );
  const element = html("div", { class: "crw-choice" }, title, segments.element);
  return {
    element,
    draw(picture) {
      const { band } = picture;
      setVisible(element, !showsArc(controller, picture));
      segments.choose(BANDS.findIndex(({ kind }) => kind === band));
    },
  };
}
