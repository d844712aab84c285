import type { Edges } from "./band.ts";
import { setAttributes, svg } from "./dom.ts";
import { bandPaths, type Square } from "./geometry.ts";

/** A band as it is drawn: its fill and its two edges. */
export interface BandShape {
  element: SVGElement;
  /** Null: there are no limits. The same edges are not drawn again. */
  draw(edges: Edges | null, square: Square): void;
}

const WHOLE_SQUARE: Edges = {
  upper: { x: Float64Array.of(0, 1), y: Float64Array.of(1, 1) },
  lower: { x: Float64Array.of(0, 1), y: Float64Array.of(0, 0) },
};

/** Without limits the whole square has the hatch, if there is one. */
export function createBandShape(name: string, testid: string, hatch = ""): BandShape {
  const fill = svg("path", { "data-testid": testid });
  const edge = svg("path", { class: `crw-edge ${name}` });
  let drawn: { edges: Edges | null; square: Square } | null = null;
  return {
    element: svg("g", {}, fill, edge),
    draw(edges, square) {
      if (drawn?.edges === edges && drawn.square === square) return;
      drawn = { edges, square };
      const paths = edges || hatch ? bandPaths(edges ?? WHOLE_SQUARE, square) : null;
      setAttributes(fill, {
        class: edges ? `crw-band ${name}` : "crw-no-limits",
        fill: edges ? "" : hatch,
        d: paths?.outline ?? "",
      });
      edge.setAttribute("d", edges && paths ? paths.edges : "");
    },
  };
}
