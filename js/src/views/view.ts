// Declares what every view returns for a picture: axes, marks and texts.

import type { Axis, Mark, Reading } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import type { Answer } from "../words/answer.ts";
import type { Legend } from "../words/promise.ts";

/**
 * A view: it draws an evaluation and writes its sentences, for example as a ROC curve or as precision against recall.
 */
export interface View {
  axes(picture: Picture): { across: Axis; up: Axis };
  /** Returns all marks of the plot, the lowest layer first. */
  marks(picture: Picture): Mark[];
  /** Returns the sentence above the plot, and the text beside it. */
  answer(picture: Picture): Answer;
  promise(picture: Picture): Legend;
  /** Returns the numbers of the drawing, one row for each vertex. */
  numbers(picture: Picture): Numbers;
  /** Returns the operating point in words, for screen readers. */
  spoken(picture: Picture): string;
  /** Returns the positions of the operating point, one for each vertex. */
  track(picture: Picture): { x: Float64Array; y: Float64Array };
  /** Returns the values at the point of the curve nearest to (x, y). Null if there is no curve. */
  reading(picture: Picture, x: number, y: number): Reading | null;
  /** Returns the bands that the user can hide, in the order of the key. */
  switches(picture: Picture): Switch[];
}

export interface Numbers {
  columns: readonly string[];
  rows: number[][];
}

export interface Switch {
  /** The id of the mark that is drawn if the switch is on. */
  id: string;
  name: string;
  text: string;
  isOn: boolean;
}

/** Returns rows of numbers. Each column must have the same length. */
export const rowsOf = (...columns: ArrayLike<number>[]): number[][] =>
  Array.from(columns[0], (_, i) => columns.map((column) => column[i]));
