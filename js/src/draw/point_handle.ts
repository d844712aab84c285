// Makes the handle of the operating point, which the user drags by pointer or moves by keys.

import { setAttributes, svg } from "../base/dom.ts";
import { type KeyMoves, onGrip } from "../base/grip.ts";
import { placeIn } from "../base/place.ts";
import type { Controller } from "../sync/controller.ts";
import { colourOf } from "./colour.ts";
import { fromX, fromY, type Scales } from "./scales.ts";

/** How the operating point moves by pointer and by keys, and its words for screen readers. */
export interface Hold extends KeyMoves {
  label: string;
  min: number;
  max: number;
  now: number;
  text: string;
  /** Moves the operating point to the possible point nearest to (x, y), in units of the axes. */
  moveTo(x: number, y: number): void;
}

const RADII = { halo: 16, ring: 13, dot: 8, target: 22 };

/**
 * Makes the handle: the dot, its marks for hover, drag and focus, and the invisible area around it that the pointer can
 * take.
 */
export function createPointHandle(controller: Controller, signal: AbortSignal) {
  const circle = (name: keyof typeof RADII, looks = {}) =>
    svg("circle", { class: `crw-point-${name}`, r: RADII[name], fill: "none", ...looks });
  const element = svg(
    "g",
    { class: "crw-point", "data-testid": "operating-point", role: "slider", tabindex: 0 },
    circle("halo", { fill: colourOf("ink"), "fill-opacity": 0 }),
    circle("ring"),
    circle("dot", { fill: colourOf("ink"), stroke: colourOf("paper"), "stroke-width": 2 }),
    circle("target", { fill: "transparent" }),
  );
  let hold: Hold;
  let scales: Scales;
  onGrip(
    element,
    {
      move(event) {
        const [x, y] = placeIn(element.ownerSVGElement as SVGSVGElement, event);
        hold.moveTo(fromX(scales, x), fromY(scales, y));
      },
      arrow: (sign) => hold.arrow(sign),
      page: (sign) => hold.page(sign),
      home: () => hold.home(),
      end: () => hold.end(),
    },
    controller,
    signal,
  );
  return {
    element,
    /** Draws the handle at a position in pixels. */
    draw(drawnScales: Scales, x: number, y: number, drawn: Hold) {
      scales = drawnScales;
      hold = drawn;
      setAttributes(element, {
        transform: `translate(${x} ${y})`,
        "aria-label": drawn.label,
        "aria-valuemin": drawn.min,
        "aria-valuemax": drawn.max,
        "aria-valuenow": drawn.now,
        "aria-valuetext": drawn.text,
      });
    },
  };
}
