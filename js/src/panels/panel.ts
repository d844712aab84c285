// Declares the type of a panel, which has a slider and strips of points.

import type { Component, Picture } from "../shown/picture.ts";

/**
 * The heights of the strips in pixels. Beside a large plot they are larger. `letters` is the width of the
 * user's letters divided by the width of the page's letters.
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
