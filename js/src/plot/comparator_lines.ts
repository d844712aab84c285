import { svg } from "../base/dom.ts";
import type { DrawnComparator } from "../sync/comparators.ts";
import type { Lines } from "../wire/decode_comparators.ts";
import { comparatorTone } from "../words/runs.ts";
import { pathOf, type Square } from "./geometry.ts";

/** The edges of other people's bands; without fills, which would hide each other. */
export function createComparatorLines() {
  const element = svg("g", { "data-testid": "overlays" });
  const known = new Map<string, { path: SVGPathElement; lines: Lines; square: Square }>();

  function pathFor({ item, lines }: DrawnComparator, square: Square): SVGPathElement {
    const before = known.get(item.key);
    if (before?.lines === lines && before.square === square) return before.path;
    const path = before?.path ?? svg("path", { "data-testid": `overlay-${item.key}` });
    const edge = (y: Float64Array) => pathOf({ x: item.fpr, y }, square);
    path.setAttribute("class", `crw-limits-line crw-${comparatorTone(item.key)}`);
    path.setAttribute("d", edge(lines.lower) + edge(lines.upper));
    known.set(item.key, { path, lines, square });
    return path;
  }

  return {
    element,
    draw(overlays: DrawnComparator[], square: Square) {
      const paths = overlays.map((overlay) => pathFor(overlay, square));
      const isSame =
        paths.length === element.children.length && paths.every((path, i) => path === element.children[i]);
      if (!isSame) element.replaceChildren(...paths);
    },
  };
}
