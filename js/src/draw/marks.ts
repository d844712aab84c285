// Draws the marks of a scene as SVG elements, for all views.

import { setAttributes, setText, svg, uniqueId } from "../base/dom.ts";
import { type Area, type Dot, type Line, lengthOf, type Mark, type Text } from "../scene.ts";
import { colourOf, HALO, strokeOf, textColour } from "./colour.ts";
import { hatchPattern } from "./hatch.ts";
import { areaPaths, coarse, leaves, pathOf } from "./path.ts";
import { boxOf, type Scales, toX, toY } from "./scales.ts";

/** The element of a mark, and the function that updates it. */
interface Drawn {
  elements: SVGElement[];
  draw(mark: Mark, scales: Scales, isMoving: boolean): void;
}

/** In a small plot: steps shorter than `finest` pixels are left out, and points are `dot` times their size. */
const SMALL = { finest: 0.5, dot: 0.7 };
const HALO_WIDTH = 4;

/**
 * Makes a group element that draws marks. If `small` is not empty, it is the name of a small plot, which has no texts
 * and no caps. The names of its marks begin with this name.
 */
export function createMarks(small = "") {
  const isSmall = small !== "";
  const clip = uniqueId("crw-clip");
  const inside = svg("rect");
  const defs = svg("defs", {}, svg("clipPath", { id: clip }, inside));
  const element = svg("g", {}, defs);
  const hatches = new Map<string, string>();
  const known = new Map<string, Drawn>();
  let square: Scales["square"] | null = null;

  function hatchOf(colour: string): string {
    const id = hatches.get(colour) ?? uniqueId("crw-hatch");
    if (!hatches.has(colour)) {
      hatches.set(colour, id);
      defs.append(hatchPattern(id, colour));
    }
    return `url(#${id})`;
  }

  function create(mark: Mark): Drawn {
    const names = { "data-testid": isSmall ? `${small}-${mark.id}` : mark.id };
    switch (mark.kind) {
      case "area":
        return createArea(names, hatchOf, clip, isSmall);
      case "line":
        return createLine(names, clip, isSmall);
      case "dot":
        return createDot(names, mark.shape === "circle", isSmall);
      case "text":
        return createText(names);
    }
  }

  const isCap = (mark: Mark) => mark.kind === "dot" && (mark.shape === "level" || mark.shape === "upright");

  return {
    element,
    /**
     * Draws all marks. Unchanged marks are not touched. If `isMoving`, a band of many points may be drawn with fewer of
     * them.
     */
    draw(all: readonly Mark[], scales: Scales, isMoving = false) {
      if (scales.square !== square) {
        square = scales.square;
        const { left, top } = boxOf(square);
        setAttributes(inside, { x: left, y: top, width: square.size, height: square.size });
      }
      const marks = isSmall ? all.filter((mark) => mark.kind !== "text" && !isCap(mark)) : all;
      const drawn = new Set<string>();
      let before: Element = defs;
      for (const mark of marks) {
        const name = `${mark.kind === "dot" ? mark.shape : mark.kind} ${mark.id}`;
        drawn.add(name);
        let one = known.get(name);
        if (!one) {
          one = create(mark);
          known.set(name, one);
        }
        one.draw(mark, scales, isMoving);
        for (const each of one.elements) {
          if (before.nextSibling !== each) before.after(each);
          before = each;
        }
      }
      for (const [name, { elements }] of known) {
        if (drawn.has(name)) continue;
        known.delete(name);
        for (const each of elements) each.remove();
      }
    },
  };
}

type Names = { "data-testid": string };

/**
 * Makes the elements of a band. The fill has the test id. If a band has no fill, its edges have the test id.
 */
function createArea(
  names: Names,
  hatchOf: (colour: string) => string,
  clip: string,
  isSmall: boolean,
): Drawn {
  const fill = svg("path", names);
  const edges = svg("path", { class: "crw-edge", fill: "none" });
  let last: { mark: Area; scales: Scales; isMoving: boolean } | null = null;
  return {
    elements: [fill, edges],
    draw(mark, scales, isMoving) {
      const area = mark as Area;
      const { upper, lower, sides, pen, strength } = area;
      const isSame =
        last?.scales === scales &&
        isSamePoints(last.mark.upper, upper) &&
        isSamePoints(last.mark.lower, lower) &&
        last.mark.sides[0] === sides[0] &&
        last.mark.sides[1] === sides[1] &&
        last.mark.fill === area.fill;
      // While something moves, `isMoving` is true, and edges are drawn with fewer points. So an area is drawn
      // if it has changed, or if a movement has ended.
      if (!isSame || (last?.isMoving && !isMoving)) {
        const { outline, edges: lines } = areaPaths(area, scales, isMoving, isSmall ? SMALL.finest : 0);
        setAttributes(fill, { d: outline });
        setAttributes(edges, { d: lines });
        const isClipped = leaves(upper, scales) || leaves(lower, scales);
        for (const each of [fill, edges]) clipAt(each, isClipped ? clip : "");
        last = { mark: area, scales, isMoving };
      }
      setAttributes(edges, strokeOf(pen));
      if (area.fill === "") {
        fill.removeAttribute("data-testid");
        setAttributes(edges, names);
      } else if (sides[0] && sides[1]) {
        setAttributes(fill, {
          class: "crw-band",
          fill: colourOf(area.fill),
          "fill-opacity": "var(--crw-fill)",
          opacity: strength,
        });
      } else {
        setAttributes(fill, {
          class: "crw-no-limits",
          fill: hatchOf(area.fill),
          "fill-opacity": 1,
          opacity: 1,
        });
      }
    },
  };
}

function createLine(names: Names, clip: string, isSmall: boolean): Drawn {
  const line = svg("path", { ...names, fill: "none", "stroke-linejoin": "round" });
  const halo = svg("path", { fill: "none", stroke: colourOf("paper") });
  let last: { points: Line["points"]; scales: Scales } | null = null;
  const drawn: Drawn = {
    elements: [line],
    draw(mark, scales) {
      const { points, pen, halo: hasHalo } = mark as Line;
      setAttributes(line, strokeOf(pen));
      if (last?.scales !== scales || !isSamePoints(last.points, points)) {
        last = { points, scales };
        setAttributes(line, { d: pathOf(isSmall ? coarse(points, scales, SMALL.finest) : points, scales) });
        clipAt(line, leaves(points, scales) ? clip : "");
      }
      drawn.elements = hasHalo ? [halo, line] : [line];
      if (hasHalo) {
        setAttributes(halo, { d: line.getAttribute("d") ?? "", "stroke-width": pen.width + HALO_WIDTH });
      }
    },
  };
  return drawn;
}

function createDot(names: Names, isCircle: boolean, isSmall: boolean): Drawn {
  const element = svg(isCircle ? "circle" : "path", names);
  return {
    elements: [element],
    draw(mark, scales) {
      const { shape, fill, pen, ...dot } = mark as Dot;
      const [x, y] = [toX(scales, dot.x), toY(scales, dot.y)];
      const size = isSmall ? SMALL.dot * dot.size : dot.size;
      setAttributes(
        element,
        shape === "circle" ? { cx: x, cy: y, r: size } : { d: shapePath(shape, x, y, size) },
      );
      setAttributes(element, { ...strokeOf(pen), fill: fill ? colourOf(fill) : "none" });
    },
  };
}

function shapePath(shape: "diamond" | "level" | "upright", x: number, y: number, size: number): string {
  if (shape === "level") return `M${x - size} ${y}h${2 * size}`;
  if (shape === "upright") return `M${x} ${y - size}v${2 * size}`;
  return `M${x} ${y - size}L${x + size} ${y}L${x} ${y + size}L${x - size} ${y}Z`;
}

function createText(names: Names): Drawn {
  const text = svg("text", { ...names, ...HALO, "stroke-width": HALO_WIDTH });
  return {
    elements: [text],
    draw(mark, scales) {
      const { x, y, dx, dy, anchor, bold, colour, angle, text: words } = mark as Text;
      setText(text, words);
      const [left, base] = [Math.round(toX(scales, x)), Math.round(toY(scales, y))];
      // If a text with a long number would end beyond the plot, it is moved to the left.
      const beyond = anchor === "start" ? left + dx + lengthOf(words, bold) - boxOf(scales.square).right : 0;
      setAttributes(text, {
        x: left + dx - (angle ? 0 : Math.max(Math.round(beyond), 0)),
        y: base + dy,
        ...(angle ? { transform: `rotate(${angle} ${left} ${base})` } : {}),
        fill: textColour(colour),
        "text-anchor": anchor,
        "font-size": bold ? 13 : 12,
        "font-weight": bold ? 600 : 400,
      });
    },
  };
}

const isSamePoints = (a: Area["upper"], b: Area["upper"]) => a.x === b.x && a.y === b.y && a.step === b.step;

function clipAt(element: SVGElement, id: string) {
  if (id) setAttributes(element, { "clip-path": `url(#${id})` });
  else element.removeAttribute("clip-path");
}
