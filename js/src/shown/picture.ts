// Picture: everything that a view draws.

import type { Width } from "../base/width.ts";
import type { IdealCurve } from "../evaluation/ideal_curve.ts";
import type { Evaluation, Frame, Group } from "../evaluation/types.ts";
import type { State, View } from "../wire/controls.ts";
import type { Comparators } from "../wire/decode_comparators.ts";

/** Who computed what is drawn: the kernel, the page ahead of the kernel, or the page alone. */
export type Source = "kernel" | "preview" | "static";

export interface Problem {
  fact: string;
  reason: string;
}

/** Everything that a view needs to draw, controls included. */
export interface Picture extends View {
  group: Group;
  /** Index of the entry looked at; null for the average of classes. */
  shown: number | null;
  /** The entry looked at, in the overview the first one. */
  evaluation: Evaluation;
  frame: Frame;
  /** Frames of all entries; without a kernel, an entry that cannot be computed has the frame of an older setting. */
  frames: Frame[];
  /** Side of the plot, in pixels of letters that are as wide as ours; missing where the picture is drawn at no size of a page. */
  side?: number;
  /** Whether the frames are older ones, since the page cannot compute what is wanted. */
  waiting: boolean;
  /** The setting of the reader; the kernel's answer may still be on its way. */
  wanted: State;
  /** The alphas that can be set; null if all can. */
  stops: number[] | null;
  source: Source;
  /** Whether the kernel that there was has gone. */
  isLost: boolean;
  problem: Problem | null;
  comparators: Comparators;
  /** The ideal model's own curve, or why there is none; null if it is not asked for. */
  ideal: IdealCurve | string | null;
  /** Whether the reader has picked the threshold, and not Python. */
  picked: boolean;
  /** Whether the reader's hand is on a control. */
  held: boolean;
  /** Whether controls that have jumped are moving to their places. */
  easing: boolean;
  /** Whether the kernel's answer to the reader's last change is missing yet. */
  asking: boolean;
  /** Whether the last change was a reset, which can be taken back. */
  isReset: boolean;
  /** Which further questions, and whether the reliability, can be shown: the kernel answers them, or the file holds them. */
  offered: { ideal: boolean; sampling: boolean; reliability: boolean };
}

/** The ideal model's own curve of a picture, if it has one. */
export const idealCurveOf = ({ ideal }: Picture) => (typeof ideal === "string" ? null : ideal);

/** A piece of the view that is built once and brought up to date at each drawing. */
export interface Component {
  element: HTMLElement;
  draw(picture: Picture, width: Width): void;
}
