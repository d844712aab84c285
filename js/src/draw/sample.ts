// A piece of a line or of a band, as the key has it.

import { svg } from "../base/dom.ts";
import type { Look } from "../scene.ts";
import { colourOf, strokeOf } from "./colour.ts";

export const [WIDTH, HEIGHT] = [18, 14];

/** A piece of a line, or of a band with its fill. */
export function sample(look: Look): SVGElement[] {
  const line = (d: string) => svg("path", { fill: "none", ...strokeOf(look.pen), d });
  if (look.kind === "line")
    return [line(look.isCross ? `M3 ${HEIGHT / 2}H15M9 1V${HEIGHT - 1}` : `M0 ${HEIGHT / 2}H${WIDTH}`)];
  const edges = line(`M0 1H${WIDTH}M0 ${HEIGHT - 1}H${WIDTH}`);
  if (!look.fill) return [edges];
  const fill = { fill: colourOf(look.fill), "fill-opacity": "var(--crw-fill)", opacity: look.strength };
  return [svg("path", { d: `M0 0H${WIDTH}V${HEIGHT}H0Z`, ...fill }), edges];
}
