// What the presses of the four answers say.

import { count, percent, share, shareRange, thresholdText } from "../base/format.ts";
import { rowsInCells } from "../evaluation/at_alpha.ts";
import { enoughRows, type MoreRows, moreRows } from "../evaluation/more_rows.ts";
import { goalOf, verdictOnGoal } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { verdictOf } from "../shown/verdict.ts";

/** So many times the rows are looked at first. */
const TIMES = 4;

const rowsIn = ({ evaluation: { nRows } }: Picture) => nRows[0] + nRows[1];

/** Limits of the goal's rate, or of the sensitivity, with so many rows; null if they are not known, as at every look. */
export function moreRowsOf(picture: Picture, rows: number): MoreRows | null {
  const { evaluation, frame, shown } = picture;
  if (shown === null || isAnyLook(picture)) return null;
  const rate = goalOf(picture)?.rate ?? "sensitivity";
  return moreRows(evaluation, rate, frame.threshold, frame.alpha, rows);
}

/** Whether the threshold is the goal's. If so, its one-sided limit is the only limit on the page. */
export const isAtGoal = (picture: Picture) => verdictOnGoal(picture)?.isOn ?? false;

/** "about 80 to 89 %", or at the goal's threshold "at least about 93 %". */
export const aboutText = (picture: Picture, { limits, least }: MoreRows) =>
  isAtGoal(picture) ? `at least about ${share(least)}` : `about ${shareRange(...limits)}`;

export function moreRowsText(picture: Picture): string {
  const rows = TIMES * rowsIn(picture);
  const found = moreRowsOf(picture, rows);
  if (found === null) return "";
  return `With ${count(rows)} test ${picture.noun}, limits of ${goalOf(picture)?.rate ?? "sensitivity"} would be ${aboutText(picture, found)}`;
}

/** How many rows would do for the goal, or why none would. */
export function enoughText(picture: Picture): string {
  const { evaluation, frame, noun } = picture;
  const wish = goalOf(picture);
  if (wish === null) return "";
  const { rate, least } = wish;
  const at = `At threshold ${thresholdText(frame.threshold)}`;
  const rows = enoughRows(evaluation, wish, frame.threshold, frame.alpha);
  const goal = `${rate} of at least ${percent(least)}`;
  if (rows === null) return `${at} no number of ${noun} shows a ${goal}: the rate here is not above it.`;
  if (rows <= rowsIn(picture)) return `${at} these ${count(rowsIn(picture))} ${noun} show a ${goal}.`;
  return `${at} ${count(rows)} ${noun} would do for a ${goal}: with so many, about every second sample shows it.`;
}

export function wrongText(picture: Picture): string {
  const { evaluation, frame, shown, noun } = picture;
  const { fp, fn } = rowsInCells(evaluation, frame.threshold);
  if (evaluation.unlabelled || shown === null || evaluation.curves !== null || evaluation.followed !== null)
    return "";
  return fp + fn === 0
    ? ""
    : `See the ${count(fp + fn)} wrong ${noun}: ${count(fn)} missed, ${count(fp)} false ${fp === 1 ? "alarm" : "alarms"}`;
}

/** The verdict on the scores as risks, in one line. */
export function calibratedText(picture: Picture): string {
  const { evaluation, shown, noun, offered } = picture;
  if (shown === null) return "";
  if (evaluation.margins || evaluation.anySize) return "These scores are no risks";
  // The page gives one verdict on the second question.
  const found = evaluation.weighted || !offered.reliability ? null : verdictOf(picture);
  if (found === null) return "";
  const { verdict, stretches } = found;
  if (verdict === "none") return `Calibrated? ${count(rowsIn(picture))} ${noun} do not refute it`;
  if (verdict === "few") return `Calibrated? These ${noun} are too few to tell`;
  if (verdict === "refuted") return "Calibrated? A higher score does not mean a higher risk";
  const { start, end, isHigher } = stretches.toSorted((a, b) => b.end - b.start - (a.end - a.start))[0];
  const ends =
    start === end ? `at ${thresholdText(end)}` : `between ${thresholdText(start)} and ${thresholdText(end)}`;
  return `Calibrated? Scores run too ${isHigher ? "high" : "low"} ${ends}`;
}
