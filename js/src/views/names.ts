// Names of bands where they lie: lines of text beside a lower edge, where they cross neither an edge nor each other.

import { heightAt } from "../evaluation/observed_curve.ts";
import type { Area, Points, Text } from "../scene.ts";

/** A band and its name, a line each; the first one is bold. */
export interface Named {
  area: Area;
  lines: readonly string[];
}

/** What no name may lie on: boxes, and edges that never fall. */
export interface Taken {
  boxes: readonly Box[];
  edges: readonly Points[];
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The side of a plot for which room is kept, a line's height, and a letter's width, bold or not, all in pixels. */
const [SIDE, LINE, BOLD, LETTER] = [310, 15, 7.2, 6.4];
const GAP = 5 / SIDE;
/** Places across that are tried, from the left, and heights in the plot. */
const PLACES = Array.from({ length: 24 }, (_, i) => 0.02 + i * 0.04);
const HEIGHTS = [0.78, 0.6, 0.42, 0.24];

/** The areas with texts for their names; the key has the name of an area that has no free place. */
export function named(areas: readonly Named[], { boxes, edges }: Taken): { areas: Area[]; texts: Text[] } {
  const taken = [...boxes];
  const texts: Text[] = [];
  const isFree = (box: Box) =>
    box.bottom > 0.02 &&
    !taken.some((other) => overlaps(box, other)) &&
    !edges.some((edge) => crosses(box, edge));
  const shown = areas.map(({ area, lines }) => {
    const first = lines.slice(0, 1);
    // Its first line beside the band says more than all of them far from it.
    const tried = [[lines, below] as const, [first, below] as const, [lines, within] as const];
    for (const [said, placesFor] of tried) {
      const box = placesFor(area, sizeOf(said)).find(isFree);
      if (!box) continue;
      taken.push(box);
      texts.push(...said.map((text, i) => textOf(area, text, i, box)));
      // Which limit is missing, and why, stands in the key.
      return area.sides[0] && area.sides[1] ? { ...area, key: "" } : area;
    }
    return area;
  });
  return { areas: shown, texts };
}

interface Size {
  wide: number;
  high: number;
}

const sizeOf = (lines: readonly string[]): Size => ({
  wide: Math.max(...lines.map((each, i) => (i === 0 ? BOLD : LETTER) * each.length)) / SIDE,
  high: (LINE * lines.length) / SIDE,
});

const fitting = ({ wide }: Size) => PLACES.filter((left) => left + wide <= 0.99);

/** Boxes below the lower edge, the nearest to the band's corner first. */
const below = ({ lower }: Area, size: Size): Box[] =>
  fitting(size)
    .map((left) => boxAt(left, heightAt(lower, left) - GAP, size))
    .sort((a, b) => a.left - a.top - (b.left - b.top));

/** Boxes within the plot. */
const within = (_: Area, size: Size): Box[] =>
  HEIGHTS.flatMap((top) => fitting(size).map((left) => boxAt(left, top, size)));

const boxAt = (left: number, top: number, { wide, high }: Size): Box => ({
  left,
  top,
  right: left + wide,
  bottom: top - high,
});

const overlaps = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.bottom < other.top && other.bottom < one.top;

/** Whether an edge that never falls runs through the box. */
const crosses = ({ left, right, top, bottom }: Box, edge: Points) =>
  heightAt(edge, left) < top && heightAt(edge, right) > bottom;

const textOf = (area: Area, text: string, i: number, { left, top }: Box): Text => ({
  kind: "text",
  id: `${area.id}-name${i === 0 ? "" : `-${i}`}`,
  text,
  x: left,
  y: top,
  dx: 0,
  dy: LINE * (i + 1) - 3,
  anchor: "start",
  bold: i === 0,
  colour: area.pen.colour,
});
