import { svg } from "../base/dom.ts";
import type { Overlay } from "../sync/comparators.ts";
import type { Lines } from "../wire/messages.ts";
import { pathOf, type Square } from "./geometry.ts";

/** The edges of other people's bands; without fills, which would hide each other. */
export function createOverlays() {
  const element = svg("g", { "data-testid": "overlays" });
  const known = new Map<string, { path: SVGPathElement; lines: Lines; square: Square }>();

  function pathFor({ item, lines, tone }: Overlay, square: Square): SVGPathElement {
    const before = known.get(item.key);
    if (before?.lines === lines && before.square === square) return before.path;
    const path = before?.path ?? svg("path", { "data-testid": `overlay-${item.key}` });
    const edge = (y: Float64Array) => pathOf({ x: item.fpr, y }, square);
    path.setAttribute("class", `crw-overlay crw-${tone}`);
    path.setAttribute("d", edge(lines.lower) + edge(lines.upper));
    known.set(item.key, { path, lines, square });
    return path;
  }

  return {
    element,
    draw(overlays: Overlay[], square: Square) {
      const paths = overlays.map((overlay) => pathFor(overlay, square));
      const isSame =
        paths.length === element.children.length && paths.every((path, i) => path === element.children[i]);
      if (!isSame) element.replaceChildren(...paths);
    },
  };
}
