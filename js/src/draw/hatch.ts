// Makes the hatch pattern of an area in which there are no limits.

import { svg } from "../base/dom.ts";
import { colourOf } from "./colour.ts";

const PITCH = 8;

/**
 * Returns a pattern of lines. The lines are at right angles to the diagonal of chance, so that nobody takes
 * one for the diagonal. An area with the fill `url(#id)` has the pattern.
 */
export function hatchPattern(id: string, colour: string): SVGElement {
  return svg(
    "pattern",
    { id, width: PITCH, height: PITCH, patternUnits: "userSpaceOnUse", patternTransform: "rotate(-45)" },
    svg("path", { stroke: colourOf(colour), "stroke-opacity": 0.38, d: `M0 0V${PITCH}` }),
  );
}
