// Draws the goal on the plot: a dashed line at the rate, with its value.

import { dashes } from "../../../conformal_roc_widget/shown/theme.json";
import type { Line, Mark, Text } from "../scene.ts";
import { goalOf } from "../shown/goal.ts";
import type { Picture } from "../shown/picture.ts";
import { goalLine } from "../words/goal.ts";
import { line, pen, pointsOf, UNIT } from "./parts.ts";

const DASHED = pen("ink", 1.25, ...dashes.goal);

/**
 * Returns the goal's line on a ROC plot: horizontal for a sensitivity, vertical for a specificity. Empty for other
 * rates.
 */
export function goalMarks(picture: Picture): Mark[] {
  const goal = picture.band === "none" ? null : goalOf(picture);
  if (goal?.rate === "sensitivity") return [level(goal.least), textAt(goal.least, 1, goal.least, -6, 14)];
  if (goal?.rate !== "specificity") return [];
  const at = 1 - goal.least;
  return [line("goal", "", pointsOf([at, at], UNIT), DASHED), textAt(goal.least, at, 0, 60, -34)];
}

/** Returns the goal's line for a precision on a plot of precision by recall. */
export function precisionGoal(picture: Picture): Mark[] {
  const goal = picture.band === "none" ? null : goalOf(picture);
  return goal?.rate === "precision" ? [level(goal.least), textAt(goal.least, 1, goal.least, -6, 14)] : [];
}

const level = (at: number): Line => line("goal", "", pointsOf(UNIT, [at, at]), DASHED);

const textAt = (least: number, x: number, y: number, dx: number, dy: number): Text => ({
  ...{ kind: "text", id: "goal-text", text: goalLine(least), x, y, dx, dy, anchor: "end" },
  ...{ bold: true, colour: "ink" },
});
