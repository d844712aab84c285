// Names of bands where they lie: lines of text beside a lower edge, where they cross neither an edge nor each other.

import { heightAt } from "../evaluation/observed_curve.ts";
import type { Area, Mark, Points, Text } from "../scene.ts";

/** A band and its name, a line each; the first one is bold. */
export interface Named {
  area: Area;
  lines: readonly string[];
}

/** What no name may lie on: boxes, and edges that never fall. */
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

/** The side of a plot whose size is not known, for which room is kept, in pixels. */
export const SIDE = 310;
/** A line's height, a letter's width, bold or not, and the distance from an edge, all in pixels. */
const [LINE, BOLD, LETTER, GAP] = [15, 7.2, 6.4, 5];
/** Places across that are tried, from the left, and heights in the plot. */
const PLACES = Array.from({ length: 24 }, (_, i) => 0.02 + i * 0.04);
const HEIGHTS = [0.78, 0.6, 0.42, 0.24];

/** The areas with texts for their names; the key has the name of an area that has no free place. */
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
    // Its first line beside the band says more than all of them far from it.
    const tried = [[lines, below] as const, [first, below] as const, [lines, within] as const];
    for (const [said, placesFor] of tried) {
      const box = placesFor(area, sizeOf(said, side)).find(isFree);
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
  gap: number;
}

const sizeOf = (lines: readonly string[], side: number): Size => ({
  wide: Math.max(...lines.map((each, i) => (i === 0 ? BOLD : LETTER) * each.length)) / side,
  high: (LINE * lines.length) / side,
  gap: GAP / side,
});

const fitting = ({ wide }: Size) => PLACES.filter((left) => left + wide <= 0.99);

/** Boxes below the lower edge, the nearest to the band's corner first. */
const below = ({ lower }: Area, size: Size): Box[] =>
  fitting(size)
    .map((left) => boxAt(left, heightAt(lower, left) - size.gap, size))
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

/** The box of a text, which may be turned; other marks have none. */
export function boxesOf(mark: Mark, side: number): Box[] {
  if (mark.kind !== "text") return [];
  const { text, x, y, dx, dy, anchor, bold, angle = 0 } = mark;
  const [across, up] = [
    Math.abs(Math.cos((angle * Math.PI) / 180)),
    Math.abs(Math.sin((angle * Math.PI) / 180)),
  ];
  const long = (bold ? BOLD : LETTER) * text.length;
  const [wide, high] = [(long * across + LINE * up) / side, (long * up + LINE * across) / side];
  const left = x + dx / side - wide * { start: 0, middle: 0.5, end: 1 }[anchor];
  // A level text stands on its place; a turned one lies around it.
  const bottom = y - dy / side - (angle === 0 ? 3 / side : high / 2);
  const gap = GAP / side;
  return [{ left: left - gap, right: left + wide + gap, top: bottom + high + gap, bottom: bottom - gap }];
}

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
