// Returns the goal (a rate and its smallest accepted value), and whether it is kept at the threshold.

import { remembered } from "../base/remembered.ts";
import { type GoalVerdict, goalVerdict } from "../evaluation/goal.ts";
import type { GoalRate, Label, PopulationWish } from "../evaluation/types.ts";
import { isAnyLook } from "./looks.ts";
import type { Picture } from "./picture.ts";

/** Returns the goal that the user set in Python or on the page. Null if there is none. */
export function goalOf({ goal }: Pick<Picture, "goal">): PopulationWish | null {
  const [entry] = Object.entries(goal ?? {}) as [GoalRate, number][];
  return entry ? { rate: entry[0], least: entry[1] } : null;
}

/** Whether no limits are shown. The reliability view always shows limits. */
export const isUnlimited = ({ view, band }: Pick<Picture, "view" | "band">) =>
  view !== "reliability" && band === "none";

/**
 * Whether the user is to guess the limits first. If so, no limits are shown, not even limits of differences.
 */
export const isBare = (picture: Picture) => picture.shown !== null && isUnlimited(picture);

/**
 * Returns the verdict on the goal. Null if there is no goal, if rows have weights or groups, if limits must hold at
 * every look, or if the band is "none". It is cached, because many components show it.
 */
export const verdictOnGoal = remembered((picture: Picture): GoalVerdict | null => {
  const { evaluation, frame, wanted, shown } = picture;
  const wish = goalOf(picture);
  return wish && shown !== null && !isBare(picture) && !isAnyLook(picture)
    ? goalVerdict(evaluation, wish, wanted.threshold, frame.alpha)
    : null;
});

const LABELS: Partial<Record<GoalRate, Label>> = { sensitivity: 1, specificity: 0 };

/**
 * A goal that is kept at the threshold by its own one-sided limit ("at least"). The lower one of two-sided
 * limits may be below the goal, and would seem to contradict the verdict.
 */
export interface KeptGoal extends PopulationWish {
  /** The label whose rate is the goal. Null for a rate of both labels, such as the precision. */
  label: Label | null;
  /** Whether the threshold is the one found for this goal. */
  isOn: boolean;
}

/** Returns the goal whose one-sided limit is shown instead of the limits of its rate. Null if there is none. */
export function goalAtThreshold(picture: Picture): KeptGoal | null {
  const found = verdictOnGoal(picture);
  if (found?.verdict !== "kept" || found.limits !== null) return null;
  return { ...found.wish, label: LABELS[found.wish.rate] ?? null, isOn: found.isOn };
}

/** Returns the label whose rate is shown first: label 0 if the goal is a specificity, otherwise label 1. */
export const labelInFront = (picture: Pick<Picture, "goal">): Label =>
  goalOf(picture)?.rate === "specificity" ? 0 : 1;
