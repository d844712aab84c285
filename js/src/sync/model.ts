// Declares the traits that page and Python share, and the errors of a kernel that does not answer.

import type { AnyModel } from "@anywidget/types";
import type { Problem } from "../shown/picture.ts";
import type { Controls } from "../wire/controls.ts";

/** The traits of the model. Each is decoded before use, because a file may have been changed. */
export interface Synced extends Controls {
  _data: unknown;
  _frame: unknown;
  /** The comparators. Missing in files that were saved by older versions. */
  _comparators?: unknown;
  _ideal?: unknown;
  /** Limits at some alphas. Missing until the kernel has computed them, and in files, which have them in `_data`. */
  _stops?: unknown;
}

export type Model = AnyModel<Synced>;

export const SILENT: Problem = {
  fact: "The kernel no longer answers:",
  reason: "It may be busy, or gone. The page goes on alone.",
};
/** Begins the message that a function which the user gave to `observe` has failed. */
export const OBSERVER = "Code in the notebook that follows this chart has failed:";
export const FIXED: Problem = {
  fact: "This band cannot move without a kernel:",
  reason: "Its limits at other α are too many to be saved with the page.",
};
