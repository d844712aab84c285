// Declares the type of a panel, which has a slider and strips of points.

import type { Component, Picture } from "../shown/picture.ts";

/**
 * Heights of the strips, which grow beside a large plot, and the width of the user's letters relative to the page's
 * own.
 */
export interface Room {
  residuals: number;
  scores: number;
  letters: number;
}

export interface Panel extends Component {
  strips: HTMLElement;
  setRoom(room: Room): void;
}

/** Whether all classes or folds are shown together. There are then several sets of residuals and scores. */
export const isOverview = ({ shown }: Picture) => shown === null;
