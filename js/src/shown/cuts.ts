// The threshold of each of several classifiers: the one that is set, or one at which all have the same sensitivity.

import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { sensitivityTarget } from "../evaluation/threshold_rules.ts";
import type { Group } from "../evaluation/types.ts";
import type { Picture } from "./picture.ts";

/** Whether the entries have thresholds to compare: they are classifiers on the same points, or populations of one classifier. */
export const hasCuts = ({ kind }: Group) => kind === "classifiers" || kind === "populations";

/** The classifier whose threshold is set: the one that is looked at, else the first. */
export const leadOf = ({ shown }: Picture): number => shown ?? 0;

/** The threshold of each; if all are to be equally sensitive, the highest at which an entry is at least as sensitive as the leading one. */
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
    // At threshold 0 all are called, so that no entry is without one.
    return at(i, isSame ? wanted.threshold : (sensitivityTarget(entry, point.tpr)?.threshold ?? 0));
  });
}
