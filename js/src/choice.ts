import type { Controller } from "./controller.ts";
import { html, svg, uniqueId } from "./dom.ts";
import { keepShortcutsAway } from "./keys.ts";
import type { Part } from "./part.ts";
import type { BandKind } from "./wire.ts";

const BANDS: { kind: BandKind; text: string; icon: string }[] = [
  { kind: "sensitivity", text: "Sensitivity", icon: "M6 1.5v9M3.5 1.5h5M3.5 10.5h5" },
  { kind: "specificity", text: "Specificity", icon: "M1 6h10M1 3.5v5M11 3.5v5" },
  { kind: "both", text: "Both", icon: "M6 1v10M1 6h10" },
];

/** Which of the two bands is drawn. */
export function createBandChoice(controller: Controller, signal: AbortSignal): Part {
  const name = uniqueId("crw-band");
  const radios = BANDS.map(({ kind }) => {
    const radio = html("input", { type: "radio", name, value: kind });
    keepShortcutsAway(radio);
    radio.addEventListener("change", () => controller.setBand(kind), { signal });
    return radio;
  });
  const segments = BANDS.map(({ text, icon }, i) =>
    html(
      "label",
      {},
      radios[i],
      svg("svg", { width: 12, height: 12, "aria-hidden": "true" }, svg("path", { d: icon })),
      html("span", {}, text),
    ),
  );
  const title = html("span", { class: "crw-choice-title", id: `${name}-title` }, "Confidence band for");
  const group = html("div", { class: "crw-segments", role: "radiogroup" }, ...segments);
  group.setAttribute("aria-labelledby", title.id);
  group.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
  return {
    element: html("div", { class: "crw-choice" }, title, group),
    draw({ band }) {
      for (const radio of radios) radio.checked = radio.value === band;
    },
  };
}
