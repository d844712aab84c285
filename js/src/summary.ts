import { html } from "./dom.ts";
import type { Part } from "./part.ts";
import { type Run, sentence } from "./text.ts";
import type { Frame } from "./wire.ts";

/** The picture in one sentence or two. */
export function createSummary(): Part {
  const element = html("p", { class: "crw-summary" });
  let drawn: { frame: Frame; band: string } | null = null;
  return {
    element,
    draw({ evaluation, frame, band }) {
      if (drawn?.frame === frame && drawn.band === band) return;
      drawn = { frame, band };
      element.replaceChildren(...sentence(evaluation, frame, band).map(runElement));
    },
  };
}

function runElement({ text, tone, strong, unbroken }: Run): Node {
  if (!unbroken) return document.createTextNode(text);
  return html(strong ? "b" : "span", { class: `crw-unbroken crw-text-${tone}` }, text);
}
