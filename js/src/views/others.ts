// Draws the curves of the other classifiers with their operating points, or the edges of the other bands around one
// curve.

import { observedCurve } from "../evaluation/observed_curve.ts";
import type { Mark, Pen, Points } from "../scene.ts";
import { cutsOf, hasCuts } from "../shown/cuts.ts";
import type { Picture } from "../shown/picture.ts";
import { area, dot, line, pen } from "./parts.ts";

/**
 * The pens for the curves of several evaluations. Nothing else on the plot is drawn with them. There are eight pens, so
 * the ninth evaluation gets the first one again.
 */
export const SERIES: readonly Pen[] = [
  pen("comparator-working_hotelling", 2, 9, 3, 2, 3),
  pen("model1", 2, 6, 3),
  pen("model2", 2, 2, 3),
  pen("comparator-other", 2, 5, 3),
  pen("axis", 2, 9, 3, 2, 3),
  pen("axis", 2, 9, 3, 2, 3, 2, 3),
  pen("axis", 2, 14, 3),
  pen("axis", 2, 5, 3, 2, 3),
];

const LOOKED_AT = pen("ink", 2);

/** Returns the pen of one of several evaluations. The selected one is black or, on a dark page, white. */
export const penOf = (i: number, shown: number | null): Pen =>
  i === shown ? LOOKED_AT : SERIES[i % SERIES.length];

export function otherMarks(picture: Picture): Mark[] {
  const { group, shown, frames } = picture;
  const cuts = hasCuts(group) ? cutsOf(picture) : [];
  const hasCurves = cuts.length > 0 || group.kind === "samples";
  if (!hasCurves && group.kind !== "bands") return [];
  return group.entries.flatMap((entry, i): Mark[] => {
    if (i === shown) return [];
    const look = penOf(i, shown);
    const { x, y } = observedCurve(entry);
    // If the group is "samples", the threshold was chosen for the sample that is shown. So the other samples
    // have no operating point.
    if (group.kind === "samples") return [line(`curve-${i}`, "", { x, y, step: "" }, look)];
    if (cuts.length > 0) {
      const { fpr, tpr } = cuts[i].point;
      return [
        line(`curve-${i}`, "", { x, y, step: "" }, look),
        dot(`cut-${i}`, fpr, tpr, 5, { ...look, dashes: [] }, "paper"),
      ];
    }
    const { tprLower, tprUpper } = frames[i].limits;
    const edge = (limits: Float64Array): Points => ({ x, y: limits, step: "across" });
    return [area(`other-${i}`, "", edge(tprLower), edge(tprUpper), look, "")];
  });
}
