// Type of a setting's panel: slider and strips.

import type { Component, Picture } from "../shown/picture.ts";

/** Heights of the strips, which share the room that a tall plot gives, and how much wider than ours the reader's letters are. */
export interface Room {
  residuals: number;
  scores: number;
  letters: number;
}

/** A slider with its value, and the strips below it. */
export interface Panel extends Component {
  strips: HTMLElement;
  setRoom(room: Room): void;
}

/** Whether all classes or folds are shown together, so that there is no single set of residuals or scores. */
export const isOverview = ({ shown }: Picture) => shown === null;
