// Finds positions for the names of bands on the plot: beside the band's lower edge, where they cross neither an edge
// nor another name.

import { heightAt } from "../evaluation/observed_curve.ts";
import { type Area, lengthOf, type Mark, type Points, type Text } from "../scene.ts";

/** A band and its name in lines. The first line is bold. */
export interface Named {
  area: Area;
  lines: readonly string[];
}

/** What a name must not cover: the boxes of other texts, and edges of bands. Edges never fall. */
export interface Taken {
  boxes: readonly Box[];
  edges: readonly Points[];
  /** Side of the plot in pixels. */
  side: number;
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The side of the plot in pixels if it is not known. */
export const SIDE = 310;
/** In pixels: the height of a line of text, and its distance from an edge. */
const [LINE, GAP] = [15, 5];
/** Positions to try for a name, as shares of the plot: left ends from left to right, and heights. */
const PLACES = Array.from({ length: 24 }, (_, i) => 0.02 + i * 0.04);
const HEIGHTS = [0.78, 0.6, 0.42, 0.24];

/**
 * Returns the areas, and texts with the names of those areas that have a free position. If the name of an
 * area is on the plot and both its limits exist, the area is left out of the key. Otherwise it stays in the
 * key.
 */
export function named(
  areas: readonly Named[],
  { boxes, edges, side }: Taken,
): { areas: Area[]; texts: Text[] } {
  const taken = [...boxes];
  const texts: Text[] = [];
  const isFree = (box: Box) =>
    box.bottom > 0.02 &&
    !taken.some((other) => overlaps(box, other)) &&
    !edges.some((edge) => crosses(box, edge));
  const shown = areas.map(({ area, lines }) => {
    const first = lines.slice(0, 1);
    // It is better to have only the first line beside the band (`below`) than all lines far from it
    // (`within`). So the first line alone is tried earlier.
    const tried = [[lines, below] as const, [first, below] as const, [lines, within] as const];
    for (const [said, placesFor] of tried) {
      const box = placesFor(area, sizeOf(said, side)).find(isFree);
      if (!box) continue;
      taken.push(box);
      texts.push(...said.map((text, i) => textOf(area, text, i, box)));
      // If a limit is missing, the key says why. So the band is removed from the key only if both limits
      // exist.
      return area.sides[0] && area.sides[1] ? { ...area, key: "" } : area;
    }
    return area;
  });
  return { areas: shown, texts };
}

interface Size {
  wide: number;
  high: number;
  gap: number;
}

const sizeOf = (lines: readonly string[], side: number): Size => ({
  wide: Math.max(...lines.map((each, i) => lengthOf(each, i === 0))) / side,
  high: (LINE * lines.length) / side,
  gap: GAP / side,
});

const fitting = ({ wide }: Size) => PLACES.filter((left) => left + wide <= 0.99);

/** Returns boxes below the lower edge of a band. The box nearest to the plot's upper left corner comes first. */
const below = ({ lower }: Area, size: Size): Box[] =>
  fitting(size)
    .map((left) => boxAt(left, heightAt(lower, left) - size.gap, size))
    .sort((a, b) => a.left - a.top - (b.left - b.top));

/** Returns boxes at every position to try in the plot. */
const within = (_: Area, size: Size): Box[] =>
  HEIGHTS.flatMap((top) => fitting(size).map((left) => boxAt(left, top, size)));

const boxAt = (left: number, top: number, { wide, high }: Size): Box => ({
  left,
  top,
  right: left + wide,
  bottom: top - high,
});

/** Returns the box of a text, which may be turned. Other marks have no box. */
export function boxesOf(mark: Mark, side: number): Box[] {
  if (mark.kind !== "text") return [];
  const { text, x, y, dx, dy, anchor, bold, angle = 0 } = mark;
  const [across, up] = [
    Math.abs(Math.cos((angle * Math.PI) / 180)),
    Math.abs(Math.sin((angle * Math.PI) / 180)),
  ];
  const long = lengthOf(text, bold);
  const [wide, high] = [(long * across + LINE * up) / side, (long * up + LINE * across) / side];
  const left = x + dx / side - wide * { start: 0, middle: 0.5, end: 1 }[anchor];
  // A horizontal text stands on the line y. A turned text has its middle there.
  const bottom = y - dy / side - (angle === 0 ? 3 / side : high / 2);
  const gap = GAP / side;
  return [{ left: left - gap, right: left + wide + gap, top: bottom + high + gap, bottom: bottom - gap }];
}

const overlaps = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.bottom < other.top && other.bottom < one.top;

/** Whether an edge, which never falls, runs through a box. */
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
