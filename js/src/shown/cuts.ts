// Finds the threshold of each of several classifiers: the common one, or the thresholds at which all have the same
// sensitivity.

import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { sensitivityTarget } from "../evaluation/threshold_rules.ts";
import type { Group } from "../evaluation/types.ts";
import type { Picture } from "./picture.ts";

/**
 * Whether the thresholds of the evaluations can be compared: they are classifiers on the same points, or populations of
 * one classifier.
 */
export const hasCuts = ({ kind }: Group) => kind === "classifiers" || kind === "populations";

/** Returns the index of the classifier whose threshold the slider sets: the selected one, or else the first. */
export const leadOf = ({ shown }: Picture): number => shown ?? 0;

/**
 * Returns for each evaluation its threshold and its operating point. If all evaluations must have the same
 * sensitivity, each gets the highest threshold at which its sensitivity is at least that of the leading
 * evaluation (`leadOf`).
 */
export function cutsOf(picture: Picture) {
  const { group, frames, wanted } = picture;
  const at = (i: number, threshold: number) => ({
    threshold,
    point: operatingPointAt(group.entries[i], frames[i], threshold),
  });
  const lead = leadOf(picture);
  const { point } = at(lead, wanted.threshold);
  return group.entries.map((entry, i) => {
    const isSame = i === lead || !picture.page.alike;
    // If no vertex of an evaluation has this sensitivity, threshold 0 has it: there every row is predicted
    // positive.
    return at(i, isSame ? wanted.threshold : (sensitivityTarget(entry, point.tpr)?.threshold ?? 0));
  });
}
