// What every view is made of: axes, marks and the words at them, decided from a picture alone.

import type { Axis, Mark, Reading } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import type { Answer } from "../words/answer.ts";
import type { Legend } from "../words/promise.ts";

/** A way to look at an evaluation. */
export interface View {
  axes(picture: Picture): { across: Axis; up: Axis };
  /** Everything on the plot, the lowest first. */
  marks(picture: Picture): Mark[];
  /** The sentence above the plot, and what stands beside it. */
  answer(picture: Picture): Answer;
  promise(picture: Picture): Legend;
  /** What is drawn in numbers, a row a vertex. */
  numbers(picture: Picture): Numbers;
  /** The operating point for those who see no plot. */
  spoken(picture: Picture): string;
  /** The place of the operating point at each vertex. */
  track(picture: Picture): { x: Float64Array; y: Float64Array };
  /** The reading for a place of the plot: the nearest point of the curve; null if there is no curve. */
  reading(picture: Picture, x: number, y: number): Reading | null;
  /** The bands that can be switched on and off, in the order of the key. */
  switches(picture: Picture): Switch[];
}

export interface Numbers {
  columns: readonly string[];
  rows: number[][];
}

export interface Switch {
  /** Id of the mark, which is drawn while this is on. */
  id: string;
  name: string;
  text: string;
  isOn: boolean;
}

/** Columns of the same length as rows. */
export const rowsOf = (...columns: ArrayLike<number>[]): number[][] =>
  Array.from(columns[0], (_, i) => columns.map((column) => column[i]));
