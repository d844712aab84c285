// Whether the reader looks at every arrival of rows, and which limits hold then.

import { FIRST_LOOK, type Looks } from "../evaluation/looks.ts";
import type { Picture } from "./picture.ts";

/** Whether limits at every look have a theory: of one classifier, whose rows the kernel tells. */
export const canLook = ({ group, evaluation }: Picture) => group.kind === "single" && !evaluation.noLooks;

/** Whether this classifier's limits are to hold at every look. */
export const isAnyLook = (picture: Picture) => picture.looks === "any" && canLook(picture);

/** How often what is shown is looked at. */
export const looksOf = (picture: Picture): Looks => (isAnyLook(picture) ? "any" : "once");

/** Whether a label has too few rows for limits at every look. */
export const isBeforeLooks = (picture: Picture) =>
  isAnyLook(picture) && Math.min(...picture.evaluation.nRows) < FIRST_LOOK;
