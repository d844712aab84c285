// Writes the texts of the four buttons at the foot of the page.

import { count, counted, percent, share, shareRange, thresholdText } from "../base/format.ts";
import { rowsInCells } from "../evaluation/at_alpha.ts";
import { enoughRows, type MoreRows, moreRows } from "../evaluation/more_rows.ts";
import { goalOf, verdictOnGoal } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { verdictOf } from "../shown/verdict.ts";
import { rowsIn } from "./several_evaluations.ts";
import { endsText } from "./verdict.ts";

/** The slider for the number of rows starts at this multiple of the present number. */
const TIMES = 4;

/**
 * Returns the limits that `rows` test rows would give for the goal's rate or, without a goal, for the sensitivity. Null
 * if they are unknown, for example at every look.
 */
export function moreRowsOf(picture: Picture, rows: number): MoreRows | null {
  const { evaluation, frame, shown } = picture;
  if (shown === null || isAnyLook(picture)) return null;
  const rate = goalOf(picture)?.rate ?? "sensitivity";
  return moreRows(evaluation, rate, frame.threshold, frame.alpha, rows);
}

/** Whether the threshold is the one found for the goal. If so, the page shows only the goal's one-sided limit. */
export const isAtGoal = (picture: Picture) => verdictOnGoal(picture)?.isOn ?? false;

/** Writes "about 80 to 89 %" or, at the threshold found for the goal, "at least about 93 %". */
const aboutText = (picture: Picture, { limits, least }: MoreRows) =>
  isAtGoal(picture) ? `at least about ${share(least)}` : `about ${shareRange(...limits)}`;

/** Writes the limits that more rows would give, such as "limits of sensitivity would be about 80 to 89 %". */
export const limitsThen = (picture: Picture, found: MoreRows) =>
  `limits of ${found.rate} would be ${aboutText(picture, found)}`;

export function moreRowsText(picture: Picture): string {
  const rows = TIMES * rowsIn([picture.evaluation]);
  const found = moreRowsOf(picture, rows);
  if (found === null) return "";
  return `With ${counted(rows, `test ${picture.noun}`)}, ${limitsThen(picture, found)}`;
}

/** Writes how many rows would be enough for the goal, or why no number of rows is enough. */
export function enoughText(picture: Picture): string {
  const { evaluation, frame, noun } = picture;
  const wish = goalOf(picture);
  if (wish === null) return "";
  const { rate, least } = wish;
  const at = `At threshold ${thresholdText(frame.threshold)}`;
  const rows = enoughRows(evaluation, wish, frame.threshold, frame.alpha);
  const goal = `that ${rate === "npv" ? "NPV" : rate} is at least ${percent(least)}`;
  if (rows === null) return `${at} no number of ${noun} shows ${goal}: the rate here is not above it.`;
  if (rows <= rowsIn([picture.evaluation]))
    return `${at} these ${counted(rowsIn([picture.evaluation]), noun)} show ${goal}.`;
  return `${at} ${counted(rows, noun)} would do to show ${goal}: with so many, about every second sample shows it.`;
}

export function wrongText(picture: Picture): string {
  const { evaluation, frame, shown, noun } = picture;
  const { fp, fn } = rowsInCells(evaluation, frame.threshold);
  if (evaluation.unlabelled || shown === null || evaluation.curves !== null || evaluation.followed !== null)
    return "";
  return fp + fn === 0
    ? ""
    : `See the ${counted(fp + fn, `wrong ${noun}`)}: ${count(fn)} missed, ${counted(fp, "false alarms")}`;
}

/** Writes in one line whether the scores may be the true risks. */
export function calibratedText(picture: Picture): string {
  const { evaluation, frame, shown, noun, offered } = picture;
  if (shown === null) return "";
  if (evaluation.margins || evaluation.anySize) return "These scores are no risks";
  // `verdictOf` also gives the verdict that stands beside the limits for the true risks. So the two never
  // differ.
  const found = evaluation.weighted || !offered.reliability ? null : verdictOf(picture);
  if (found === null) return "";
  const { verdict, stretches } = found;
  const limits = `${percent(1 - frame.alpha)} ${frame.kind === "everywhere" ? "conformal" : "calibration"} band`;
  if (verdict === "none")
    return `Calibrated? ${counted(rowsIn([picture.evaluation]), noun)} show no miscalibration (${limits})`;
  if (verdict === "few") return `Calibrated? These ${noun} are too few to tell`;
  if (verdict === "refuted") return "Calibrated? A higher score does not mean a higher risk";
  const [widest] = stretches.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  return `Calibrated? Scores run too ${widest.isHigher ? "high" : "low"} ${endsText(widest)} (${limits})`;
}
