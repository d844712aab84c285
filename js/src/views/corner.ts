// Magnifies the upper left corner of a ROC plot five times. If the operating point is outside, it is marked
// on the edge.

import type { Pair } from "../base/pair.ts";
import { words } from "../base/words.ts";
import { heightAt } from "../evaluation/observed_curve.ts";
import type { Area, Axis, Dot, Line, Mark, Points, Text } from "../scene.ts";
import { area, line, pen, pointsOf } from "./parts.ts";

/** The ends of the corner's axes. They never change, so that two pages can be compared. */
export const ACROSS: Pair<number> = [0, 0.2];
export const UP: Pair<number> = [0.8, 1];
/**
 * A small square shows where the corner is in the whole plot. These are its left and lower edge and its side, as shares
 * of the plot's side.
 */
const [LEFT, FOOT, SIDE] = [0.87, 0.155, 0.1];
const FRAME = pen("axis");
const OUTSIDE = pen("ink", 2);

export const corneredAxes = ({ across, up }: Record<"across" | "up", Axis>) => ({
  across: cornered(across, "axis.corner_across", ACROSS),
  up: cornered(up, "axis.corner_up", UP),
});

const cornered = (
  { title, isPercent = false }: Axis,
  name: "axis.corner_across" | "axis.corner_up",
  ends: Pair<number>,
): Axis => ({ title: words(name, { title }), ends, isPart: true, isPercent });

/**
 * Returns the marks that reach into the corner. If the operating point is outside, it is drawn on the corner's edge.
 */
export function corneredMarks(marks: readonly Mark[]): Mark[] {
  return [...marks.flatMap(kept), ...square(), breakMark()];
}

function kept(mark: Mark): Mark[] {
  switch (mark.kind) {
    case "dot":
      return keptDot(mark);
    case "line":
      return reaches(mark.points) ? [mark] : [];
    case "text":
      return mark.id.startsWith("corner") || mark.id === "point-text" ? [keptText(mark)] : [];
    case "area":
      return [mark];
  }
}

export const isInside = (x: number, y: number) => x <= ACROSS[1] && y >= UP[0];
const moved = (x: number, y: number): Pair<number> => [Math.min(x, ACROSS[1]), Math.max(y, UP[0])];

function keptDot(dot: Dot): Dot[] {
  if (isInside(dot.x, dot.y)) return [dot];
  if (dot.id !== "point") return [];
  const [x, y] = moved(dot.x, dot.y);
  return [{ ...dot, x, y, pen: OUTSIDE, fill: "paper" }];
}

function keptText(text: Text): Text {
  if (text.id.startsWith("corner")) return { ...text, x: ACROSS[1], y: UP[0] };
  const [x, y] = moved(text.x, text.y);
  const isLeft = x > place(0.8, 0)[0];
  const isAbove = y <= place(0, 0.1)[1];
  return { ...text, x, y, dx: isLeft ? -12 : 12, dy: isAbove ? -12 : 20, anchor: isLeft ? "end" : "start" };
}

/** Whether a line has a part inside the magnified corner. From point to point the line rises, or it is level. */
function reaches(points: Points): boolean {
  const { x, y } = points;
  // If a rising line passes the right edge of the corner, its highest point in the corner is at this edge,
  // perhaps between two of its points. The points of the line may go to the right or to the left.
  const isCrossing = (x[0] - ACROSS[1]) * (x[x.length - 1] - ACROSS[1]) <= 0;
  return x.some((each, i) => isInside(each, y[i])) || (isCrossing && heightAt(points, ACROSS[1]) >= UP[0]);
}

/** Returns a point in units of the axes, from shares of the plot's side. */
const place = (across: number, up: number): Pair<number> => [
  ACROSS[0] + across * (ACROSS[1] - ACROSS[0]),
  UP[0] + up * (UP[1] - UP[0]),
];

/** Returns the small square, which stands for the whole plot, and the corner in it. */
function square(): (Area | Line)[] {
  const [[left, foot], [right, top]] = [place(LEFT, FOOT), place(LEFT + SIDE, FOOT + SIDE)];
  const [across, up] = [left + (right - left) * ACROSS[1], foot + (top - foot) * UP[0]];
  const edge = (y: number) => pointsOf([left, across], [y, y]);
  const outline = pointsOf([left, right, right, left, left], [foot, foot, top, top, foot]);
  return [
    area("corner-part", "", edge(up), edge(top), FRAME, "ink", { strength: 2 }),
    line("corner-whole", "", outline, FRAME),
  ];
}

/** Returns the sign at an axis that does not start at 0. */
const breakMark = (): Text => ({
  kind: "text",
  id: "corner-break",
  text: "//",
  x: ACROSS[0],
  y: UP[0],
  dx: 0,
  dy: -3,
  anchor: "middle",
  bold: false,
  colour: "muted",
});
