// A picture as data: marks in the units of a panel's axes. A view makes them, and what draws them knows no view.
// Python has the same names (scene.py). Colours are names in the theme; sizes and shifts are in pixels.

import type { Pair } from "./base/pair.ts";

/** Colour, width and dashes of a line; no dashes is a solid line. */
export interface Pen {
  colour: string;
  width: number;
  dashes: readonly number[];
}

/** Points of a line, straight or in steps: first `across`, or first `up`, to the next. */
export interface Points {
  x: Float64Array;
  y: Float64Array;
  step: "" | "across" | "up";
}

/** A band: its fill and both its edges, which run over the same places on one of the axes. A comparator's has no fill. */
export interface Area {
  kind: "area";
  /** Id that no other mark of the panel has. */
  id: string;
  /** Its name in the key; empty if it has no entry there. */
  key: string;
  upper: Points;
  lower: Points;
  /** Pen of the edges. */
  pen: Pen;
  /** Colour of the fill; empty if there is none. */
  fill: string;
  /** Opacity of the fill, times the theme's. */
  strength: number;
  /** Whether the lower and the upper edge are limits. An edge that is no limit is not drawn, and the area is hatched. */
  sides: Pair<boolean>;
}

/** A line, with a halo where it lies on another. */
export interface Line {
  kind: "line";
  id: string;
  key: string;
  points: Points;
  pen: Pen;
  halo: boolean;
}

/** A point, or with the shape of a bar the cap of an arm. */
export interface Dot {
  kind: "dot";
  id: string;
  key: string;
  x: number;
  y: number;
  /** Distance from the centre to the edge. */
  size: number;
  pen: Pen;
  fill: string;
  shape: "circle" | "diamond" | "level" | "upright";
}

/** Text beside a place. */
export interface Text {
  kind: "text";
  id: string;
  text: string;
  x: number;
  y: number;
  dx: number;
  dy: number;
  anchor: "start" | "middle" | "end";
  bold: boolean;
  colour: string;
  /** Degrees by which it is turned, clockwise; missing if it is level. */
  angle?: number;
}

export type Mark = Area | Line | Dot | Text;

/** An axis: its title and its ends. */
export interface Axis {
  title: string;
  ends: Pair<number>;
  /** Whether the axis shows a part of the shares from 0 to 1. */
  isPart?: boolean;
  /** Whether the numbers are shares, which are written in percent. */
  isPercent?: boolean;
}

/** What an entry of the key looks like. */
export type Look =
  | Pick<Area, "kind" | "pen" | "fill" | "strength">
  | (Pick<Line, "kind" | "pen"> & { isCross?: boolean });

/** Numbers of a place on the curve. */
export interface Reading {
  /** Index of the vertex that is read, if the view has a figure at each vertex. */
  vertex?: number;
  x: number;
  y: number;
  title: string;
  rows: { text: string; limits: string; tone: string }[];
}

/** The legend: names, each with the mark that shows its look. The curve comes first, the line of chance last. */
export function legendOf(marks: readonly Mark[]): [key: string, mark: Area | Line][] {
  const place = ({ id }: Mark) => ({ curve: -1, baseline: 1 })[id] ?? 0;
  const named = new Map<string, Area | Line>();
  for (const mark of marks.toSorted((a, b) => place(a) - place(b))) {
    const hasKey = (mark.kind === "area" || mark.kind === "line") && mark.key !== "";
    if (hasKey && !named.has(mark.key)) named.set(mark.key, mark);
  }
  return [...named];
}
