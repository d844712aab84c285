// Tells whether limits must hold at every look, which is each time that new rows have arrived. Tells also
// whether there are enough rows for such limits.

import { FIRST_LOOK, type Looks } from "../evaluation/looks.ts";
import type { Picture } from "./picture.ts";

/** Whether limits at every look can be computed. They are for a single classifier whose rows the kernel knows. */
export const canLook = ({ group, evaluation }: Picture) => group.kind === "single" && !evaluation.noLooks;

/** Whether this classifier's limits must hold at every look. */
export const isAnyLook = (picture: Picture) => picture.looks === "any" && canLook(picture);

export const looksOf = (picture: Picture): Looks => (isAnyLook(picture) ? "any" : "once");

/** Whether a label has too few rows for limits at every look. */
export const isBeforeLooks = (picture: Picture) =>
  isAnyLook(picture) && Math.min(...picture.evaluation.nRows) < FIRST_LOOK;
