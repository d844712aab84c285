import { setAttributes, svg, uniqueId } from "../base/dom.ts";
import type { Edges } from "../evaluation/curve_lines.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import { bandPaths, type Square } from "./geometry.ts";
import { hatchPattern } from "./hatch.ts";

/** A band as it is drawn: its fill and its two edges. */
export interface BandShape {
  element: SVGElement;
  /**
   * An edge that is no limit, lower or upper, is left out, and the band hatched instead of filled. The same edges are
   * not drawn again. While they move, they may be rough.
   */
  draw(edges: Edges, sides: Sides, square: Square, isMoving?: boolean): void;
}

const WHOLE_SQUARE: Edges = {
  upper: { x: Float64Array.of(0, 1), y: Float64Array.of(1, 1) },
  lower: { x: Float64Array.of(0, 1), y: Float64Array.of(0, 0) },
};

/** Without a hatch a band that lacks a limit has no fill. */
export function createBandShape(name: string, testid: string, isHatched = false): BandShape {
  const id = uniqueId("crw-hatch");
  const fill = svg("path", { "data-testid": testid });
  const edge = svg("path", { class: `crw-edge ${name}` });
  let drawn: { edges: Edges; sides: string; square: Square; isMoving: boolean } | null = null;
  return {
    element: svg("g", {}, ...(isHatched ? [svg("defs", {}, hatchPattern(id, name))] : []), fill, edge),
    draw(edges, [hasLower, hasUpper], square, isMoving = false) {
      const sides = `${hasLower} ${hasUpper}`;
      const isSame = drawn?.edges === edges && drawn.sides === sides && drawn.square === square;
      // Edges that stay while something else moves need not become rough.
      if (isSame && (isMoving || !drawn?.isMoving)) return;
      drawn = { edges, sides, square, isMoving };
      const isWhole = hasLower && hasUpper;
      const paths = bandPaths(hasLower || hasUpper ? edges : WHOLE_SQUARE, square, isMoving);
      setAttributes(fill, {
        class: isWhole ? `crw-band ${name}` : "crw-no-limits",
        fill: isWhole ? "" : isHatched ? `url(#${id})` : "none",
      });
      fill.setAttribute("d", paths.outline);
      edge.setAttribute("d", (hasUpper ? paths.upper : "") + (hasLower ? paths.lower : ""));
    },
  };
}
