// The goal (a rate and its lowest value that is enough), and the verdict on it at the threshold.

import { type GoalVerdict, goalVerdict } from "../evaluation/goal.ts";
import type { GoalRate, Label, PopulationWish } from "../evaluation/types.ts";
import { isAnyLook } from "./looks.ts";
import type { Picture } from "./picture.ts";

/** What was set as the goal. */
export function goalOf({ goal }: Pick<Picture, "goal">): PopulationWish | null {
  const [entry] = Object.entries(goal ?? {}) as [GoalRate, number][];
  return entry ? { rate: entry[0], least: entry[1] } : null;
}

/** Whether a curve is shown to guess from: no limit may be said, of a difference neither. */
export const isBare = ({ shown, view, band }: Picture) => shown !== null && view === "roc" && band === "none";

/** The verdict on the goal. Null without a goal, with weights or groups, at every look, and on a "guess first" page. */
export function verdictOnGoal(picture: Picture): GoalVerdict | null {
  const { evaluation, frame, wanted, shown } = picture;
  const wish = goalOf(picture);
  return wish && shown !== null && !isBare(picture) && !isAnyLook(picture)
    ? goalVerdict(evaluation, wish, wanted.threshold, frame.alpha)
    : null;
}

const LABELS: Partial<Record<GoalRate, Label>> = { sensitivity: 1, specificity: 0 };

/** A goal that is kept at the threshold by its own limit, "at least so much", which limits on both sides would contradict. */
export interface KeptGoal extends PopulationWish {
  /** The label whose rate it is; null for a rate of both. */
  label: Label | null;
  /** Whether the threshold was picked for this goal. */
  isOn: boolean;
}

/** The goal that takes the place of other limits of its rate at the threshold that is set; null if none does. */
export function goalAtThreshold(picture: Picture): KeptGoal | null {
  const found = verdictOnGoal(picture);
  if (found?.verdict !== "kept" || found.limits !== null) return null;
  return { ...found.wish, label: LABELS[found.wish.rate] ?? null, isOn: found.isOn };
}

/** The label whose rate is in front: that of the goal, else of the sensitivity. */
export const labelInFront = (picture: Pick<Picture, "goal">): Label =>
  goalOf(picture)?.rate === "specificity" ? 0 : 1;
