// What a reader calls the rows: all of them, those of one class, and those that are called.

import { shortName } from "../base/format.ts";
import type { Evaluation, Label } from "../evaluation/types.ts";
import type { Picture } from "../shown/picture.ts";
import { nameInLine } from "./answer.ts";
import { className } from "./one_evaluation.ts";

type Rows = Pick<Picture, "evaluation" | "noun">;

/** The default name of the rows. */
const ROWS = "rows";
const PLAIN = ["negatives", "positives"] as const;
const SIGN = ["negative", "positive"] as const;

/** Whether a class is called by a number or a truth value, which is no adjective. */
const isNumber = (name: string) => /^(-?[\d.]+|True|False)$/.test(name);
const isPlain = ({ classes }: Evaluation) => /^(0|False)$/.test(classes[0]) && /^(1|True)$/.test(classes[1]);

/** The rows of a label: "malignant rows", "positives", "rows of class 4", "with the event". */
export function rowsOf({ evaluation, noun }: Rows, label: Label): string {
  const { classes, followed } = evaluation;
  if (followed !== null) return label === 1 ? "with the event" : "without it";
  if (isPlain(evaluation)) return noun === ROWS ? PLAIN[label] : `${SIGN[label]} ${noun}`;
  const name = nameInLine(classes[label]);
  return isNumber(classes[label]) || /\s/.test(name)
    ? `${noun} of ${className(label, [name, name])}`
    : `${name} ${noun}`;
}

/** What a row is called that is called positive, or negative: "malignant", "positive". */
export function calledName({ evaluation }: Rows, label: Label = 1): string {
  if (evaluation.followed !== null || isPlain(evaluation)) return SIGN[label];
  return nameInLine(className(label, evaluation.classes));
}

/** Head of the rows that are called a class. */
export const calledHead = (rows: Rows, label: Label) => `called ${shortName(calledName(rows, label), 14)}`;
