// Declares the types of a scene, which is a picture as a list of marks. Views make scenes, and the code in
// draw/ draws any scene. Positions are in units of the axes, sizes and shifts in pixels, and colours are
// names of the theme. scene.py has the same types.

import type { Pair } from "./base/pair.ts";

/** Colour, width and dashes of a line. A line without dashes is solid. */
export interface Pen {
  colour: string;
  width: number;
  dashes: readonly number[];
}

/** The points of a line. Between two points it is straight, or a step that first goes `across` or `up`. */
export interface Points {
  x: Float64Array;
  y: Float64Array;
  step: "" | "across" | "up";
}

/**
 * A band: its fill and its two edges. Both edges have the same positions on one axis. A comparator's band has no fill.
 */
export interface Area {
  kind: "area";
  /** No other mark of the plot has the same id. */
  id: string;
  /** The name of the band in the key. Empty if the key does not show it. */
  key: string;
  upper: Points;
  lower: Points;
  /** How the edges are drawn. */
  pen: Pen;
  /** The colour of the fill. Empty if there is none. */
  fill: string;
  /** The opacity of the fill, as a multiple of the theme's. */
  strength: number;
  /**
   * Whether the lower and the upper edge are limits. If an edge is not a limit, it is not drawn, and the band
   * is hatched.
   */
  sides: Pair<boolean>;
}

/** A line. If it is drawn over another line, it has a halo. */
export interface Line {
  kind: "line";
  id: string;
  key: string;
  points: Points;
  pen: Pen;
  halo: boolean;
}

/** A point. If its shape is "bar", it is the end of an error bar. */
export interface Dot {
  kind: "dot";
  id: string;
  key: string;
  x: number;
  y: number;
  /** The distance from the centre to the edge in pixels. */
  size: number;
  pen: Pen;
  fill: string;
  shape: "circle" | "diamond" | "level" | "upright";
}

/** A text beside a position. */
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
  /** The angle of the text in degrees, clockwise. Missing if the text is horizontal. */
  angle?: number;
}

export type Mark = Area | Line | Dot | Text;

/** The mean width of a letter in pixels, in normal text and in bold text. */
const [LETTER, BOLD] = [6.4, 7.2];

/** Returns about how many pixels long a text is. */
export const lengthOf = (text: string, bold: boolean) => (bold ? BOLD : LETTER) * text.length;

/** The title of an axis, and its smallest and largest value. */
export interface Axis {
  title: string;
  ends: Pair<number>;
  /** Whether the axis shows shares, but only a part of the range from 0 to 1. */
  isPart?: boolean;
  /** Whether the values are shares, written in percent. */
  isPercent?: boolean;
}

/** The sample beside an entry of the key. */
export type Look =
  | Pick<Area, "kind" | "pen" | "fill" | "strength">
  | (Pick<Line, "kind" | "pen"> & { isCross?: boolean });

/** The values that the callout shows for a position on the curve. */
export interface Reading {
  /** The index of the vertex that has these values. Missing if the view has no values by vertex. */
  vertex?: number;
  x: number;
  y: number;
  title: string;
  rows: { text: string; limits: string; tone: string }[];
}

/**
 * Returns the entries of the key: each name, and the mark that it names. The curve comes first and the line of chance
 * last.
 */
export function legendOf(marks: readonly Mark[]): [key: string, mark: Area | Line][] {
  const place = ({ id }: Mark) => ({ curve: -1, baseline: 1 })[id] ?? 0;
  const named = new Map<string, Area | Line>();
  for (const mark of marks.toSorted((a, b) => place(a) - place(b))) {
    const hasKey = (mark.kind === "area" || mark.kind === "line") && mark.key !== "";
    if (hasKey && !named.has(mark.key)) named.set(mark.key, mark);
  }
  return [...named];
}
