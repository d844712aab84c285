import { setAttributes, svg } from "../base/dom.ts";
import type { Edges } from "../evaluation/curve_lines.ts";
import { bandPaths, type Square } from "./geometry.ts";

/** A band as it is drawn: its fill and its two edges. */
export interface BandShape {
  element: SVGElement;
  /** Null: there are no limits. The same edges are not drawn again. While they move, they may be rough. */
  draw(edges: Edges | null, square: Square, isMoving?: boolean): void;
}

const WHOLE_SQUARE: Edges = {
  upper: { x: Float64Array.of(0, 1), y: Float64Array.of(1, 1) },
  lower: { x: Float64Array.of(0, 1), y: Float64Array.of(0, 0) },
};

/** Without limits the whole square has the hatch, if there is one. */
export function createBandShape(name: string, testid: string, hatch = ""): BandShape {
  const fill = svg("path", { "data-testid": testid });
  const edge = svg("path", { class: `crw-edge ${name}` });
  let drawn: { edges: Edges | null; square: Square; isMoving: boolean } | null = null;
  return {
    element: svg("g", {}, fill, edge),
    draw(edges, square, isMoving = false) {
      // Edges that stay while something else moves need not become rough.
      const isDrawn = drawn?.edges === edges && drawn.square === square && (isMoving || !drawn.isMoving);
      if (isDrawn) return;
      drawn = { edges, square, isMoving };
      const paths = edges || hatch ? bandPaths(edges ?? WHOLE_SQUARE, square, isMoving) : null;
      setAttributes(fill, { class: edges ? `crw-band ${name}` : "crw-no-limits", fill: edges ? "" : hatch });
      fill.setAttribute("d", paths?.outline ?? "");
      edge.setAttribute("d", edges && paths ? paths.edges : "");
    },
  };
}
