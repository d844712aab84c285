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

/** The side of a plot for which room is kept, and a line's height and a letter's width, estimated widely, all in pixels. */
const [SIDE, LINE, LETTER] = [250, 15, 7];
const GAP = 5 / SIDE;
/** Places across that are tried, from the left, and heights in the plot. */
const PLACES = Array.from({ length: 24 }, (_, i) => 0.02 + i * 0.04);
const HEIGHTS = [0.78, 0.6, 0.42, 0.24];

/** The areas with texts for their names; the key has the name of an area that has no free place. */
export function named(areas: readonly Named[], { boxes, edges }: Taken): { areas: Area[]; texts: Text[] } {
  const taken = [...boxes];
  const texts: Text[] = [];
  const shown = areas.map(({ area, lines }) => {
    const size = {
      wide: (LETTER * Math.max(...lines.map((each) => each.length))) / SIDE,
      high: (LINE * lines.length) / SIDE,
    };
    const box = placesFor(area, size).find(
      (each) => !taken.some((other) => overlaps(each, other)) && !edges.some((edge) => crosses(each, edge)),
    );
    if (!box) return area;
    taken.push(box);
    texts.push(...lines.map((text, i) => textOf(area, text, i, box)));
    return { ...area, key: "" };
  });
  return { areas: shown, texts };
}

/** Boxes below the lower edge, the nearest to the band's corner first, and then within the plot. */
function placesFor({ lower }: Area, { wide, high }: { wide: number; high: number }): Box[] {
  const fits = PLACES.filter((left) => left + wide <= 0.99);
  const under = (left: number) => boxAt(left, heightAt(lower, left) - GAP, wide, high);
  const below = fits.map(under).sort((a, b) => a.left - a.top - (b.left - b.top));
  const inside = HEIGHTS.flatMap((top) => fits.map((left) => boxAt(left, top, wide, high)));
  return [...below, ...inside].filter(({ bottom }) => bottom > 0.02);
}

const boxAt = (left: number, top: number, wide: number, high: number): Box => ({
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
