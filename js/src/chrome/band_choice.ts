import { decoration, html, setVisible, svg, uniqueId } from "../base/dom.ts";
import { createSegments } from "../base/segments.ts";
import { showsArc } from "../sync/arc.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import type { BandKind } from "../wire/messages.ts";

const BANDS: { value: BandKind; text: string; icon: string }[] = [
  { value: "sensitivity", text: "Sensitivity", icon: "M6 1.5v9M3.5 1.5h5M3.5 10.5h5" },
  { value: "specificity", text: "Specificity", icon: "M1 6h10M1 3.5v5M11 3.5v5" },
  { value: "both", text: "Both", icon: "M6 1v10M1 6h10" },
  { value: "ideal", text: "Ideal model’s curve", icon: "M1.5 11C2 5 5 2 11 1.5" },
];

const ARC = [
  { value: "arc", text: "Arc along the curve", icon: "M1.5 11C2 5 5 2 11 1.5" },
  { value: "band", text: "Band at fixed thresholds", icon: "M6 1.5v9M3.5 1.5h5M3.5 10.5h5" },
];

function createChoice(
  choices: { value: string; text: string; icon: string }[],
  set: (index: number) => void,
  signal: AbortSignal,
) {
  const title = html("span", { class: "crw-choice-title", id: uniqueId("crw-show") }, "Show");
  const iconOf = (d: string) => decoration({ width: 12, height: 12 }, svg("path", { d }));
  const drawn = choices.map((choice) => ({ ...choice, icon: iconOf(choice.icon) }));
  return { title, segments: createSegments(title.id, drawn, set, signal) };
}

/** Of an ideal recalibration: the arc on which it stands, or its rates at each threshold. */
export function createArcChoice(controller: Controller, signal: AbortSignal): Component {
  const set = (i: number) => controller.choosePage({ arc: i === 0 });
  const { title, segments } = createChoice(ARC, set, signal);
  const element = html("div", { class: "crw-choice" });
  return {
    element,
    draw(picture) {
      const { simultaneous } = picture.evaluation;
      setVisible(element, simultaneous);
      if (simultaneous && !element.firstChild) element.append(title, segments.element);
      segments.choose(showsArc(picture) ? 0 : 1);
    },
  };
}

/** Which of the two bands is drawn. */
export function createBandChoice(controller: Controller, signal: AbortSignal): Component {
  const set = (i: number) => controller.choose({ band: BANDS[i].value });
  const { title, segments } = createChoice(BANDS, set, signal);
  const element = html("div", { class: "crw-choice" }, title, segments.element);
  return {
    element,
    draw(picture) {
      const { band } = picture;
      setVisible(element, !showsArc(picture));
      segments.choose(BANDS.findIndex(({ value }) => value === band));
    },
  };
}
