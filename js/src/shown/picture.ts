// Declares the picture: all data that the components of the page draw.

import type { Width } from "../base/width.ts";
import type { IdealCurve } from "../evaluation/ideal_curve.ts";
import type { Evaluation, Frame, Group } from "../evaluation/types.ts";
import type { State, View } from "../wire/controls.ts";
import type { Comparators } from "../wire/decode_comparators.ts";

/**
 * What computed the picture: the kernel ("kernel"), the page until the kernel answers ("preview"), or the page alone
 * ("static").
 */
export type Source = "kernel" | "preview" | "static";

export interface Problem {
  fact: string;
  reason: string;
}

/** All data that the components of the page draw, and the settings of the controls. */
export interface Picture extends View {
  group: Group;
  /** The index of the selected evaluation in the group. Null if the average of classes or all folds are shown. */
  shown: number | null;
  /** The selected evaluation. If all are shown together, it is the first one. */
  evaluation: Evaluation;
  frame: Frame;
  /**
   * The frames of all evaluations. If there is no kernel, and the page cannot compute a frame, the frame is
   * that of an earlier setting.
   */
  frames: Frame[];
  /**
   * The side of the plot in pixels, divided by the ratio of the width of the user's letters to the width of
   * the page's letters. Missing for a picture without a page.
   */
  side?: number;
  /** Whether the frames are of an earlier setting, because the page cannot compute those of the current one. */
  waiting: boolean;
  /** The setting that the user wants now. The kernel may not have answered it yet. */
  wanted: State;
  /** The alphas that can be set. Null if every alpha can. */
  stops: number[] | null;
  source: Source;
  /** Whether the kernel that was there has gone. */
  isLost: boolean;
  problem: Problem | null;
  comparators: Comparators;
  /** The ideal model's own curve, or a text that says why there is none. Null if the user has not asked for it. */
  ideal: IdealCurve | string | null;
  /** Whether the user picked the threshold on the page. */
  picked: boolean;
  /** Whether the user drags a control now. */
  held: boolean;
  /** Whether controls are still moving towards a new setting. */
  easing: boolean;
  /** Whether the kernel has not yet answered the user's last change. */
  asking: boolean;
  /** Whether the last change was a reset, which the user can undo. */
  isReset: boolean;
  /** Whether the kernel or the file can show the bands "ideal" and "sampling" and the reliability view. */
  offered: { ideal: boolean; sampling: boolean; reliability: boolean };
}

export const idealCurveOf = ({ ideal }: Picture) => (typeof ideal === "string" ? null : ideal);

/** A component of the page. It is made once, and updated at each drawing. */
export interface Component {
  element: HTMLElement;
  draw(picture: Picture, width: Width): void;
}
