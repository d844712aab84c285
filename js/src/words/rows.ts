// Names rows in sentences: all rows, the rows of a class, and the rows that are predicted as a class.

import { shortName } from "../base/format.ts";
import type { Evaluation, Label } from "../evaluation/types.ts";
import type { Picture } from "../shown/picture.ts";
import { nameInLine } from "./answer.ts";
import { className, isNumber } from "./one_evaluation.ts";

type Rows = Pick<Picture, "evaluation" | "noun">;

/** What sentences call the rows if the user gave no noun. */
const ROWS = "rows";
const PLAIN = ["negatives", "positives"] as const;
const SIGN = ["negative", "positive"] as const;

const isPlain = ({ classes }: Evaluation) => /^(0|False)$/.test(classes[0]) && /^(1|True)$/.test(classes[1]);

/** Names the rows of a label: "malignant rows", "positives", "rows of class 4", "with the event". */
export function rowsOf({ evaluation, noun }: Rows, label: Label): string {
  const { classes, followed } = evaluation;
  if (followed !== null) return label === 1 ? "with the event" : "without it";
  if (isPlain(evaluation)) return noun === ROWS ? PLAIN[label] : `${SIGN[label]} ${noun}`;
  const name = nameInLine(classes[label]);
  return isNumber(classes[label]) || /\s/.test(name)
    ? `${noun} of ${className(label, [name, name])}`
    : `${name} ${noun}`;
}

/** Names the class that a row is predicted as: "malignant", "positive". */
export function calledName({ evaluation }: Rows, label: Label = 1): string {
  if (evaluation.followed !== null || isPlain(evaluation)) return SIGN[label];
  return nameInLine(className(label, evaluation.classes));
}

/** Returns the heading of the column with the rows that are predicted as a class. */
export const calledHead = (rows: Rows, label: Label) => `called ${shortName(calledName(rows, label), 14)}`;
