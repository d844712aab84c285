import { html, setText } from "./dom.ts";
import type { Part } from "./part.ts";

/** What the band bounds, in which sense, and what is promised. */
export function createLegend(): Part {
  const target = html("dd");
  const scope = html("dd");
  const guarantee = html("dd");
  return {
    element: html(
      "dl",
      { class: "crw-legend" },
      ...[
        html("dt", {}, "Target"),
        target,
        html("dt", {}, "Scope"),
        scope,
        html("dt", {}, "Guarantee"),
        guarantee,
      ],
    ),
    draw({ frame }) {
      setText(target, frame.target);
      setText(scope, frame.scope);
      setText(guarantee, frame.guarantee);
    },
  };
}
