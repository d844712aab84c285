// Draws a short piece of a line or band for the key.

import { svg } from "../base/dom.ts";
import { svg as template } from "../base/template.ts";
import type { Look, Pen } from "../scene.ts";
import { colourOf, strokeOf } from "./colour.ts";

export const [WIDTH, HEIGHT] = [18, 14];

/** Returns the elements of a short piece of a line, or of a filled band. */
export function sample(look: Look): SVGElement[] {
  const line = (d: string) => svg("path", { fill: "none", ...strokeOf(look.pen), d });
  if (look.kind === "line")
    return [line(look.isCross ? `M3 ${HEIGHT / 2}H15M9 1V${HEIGHT - 1}` : `M0 ${HEIGHT / 2}H${WIDTH}`)];
  const edges = line(`M0 1H${WIDTH}M0 ${HEIGHT - 1}H${WIDTH}`);
  if (!look.fill) return [edges];
  const fill = { fill: colourOf(look.fill), "fill-opacity": "var(--crw-fill)", opacity: look.strength };
  return [svg("path", { d: `M0 0H${WIDTH}V${HEIGHT}H0Z`, ...fill }), edges];
}

/** Returns a short piece of an evaluation's line, for the place beside its name. */
export function lineSample(look: Pen) {
  const { stroke, "stroke-width": width, "stroke-dasharray": dashes } = strokeOf(look);
  return template`<svg aria-hidden="true" width="22" height="10">
    <path d="M0 5H22" stroke=${stroke} stroke-width=${width} stroke-dasharray=${dashes}></path>
  </svg>`;
}
