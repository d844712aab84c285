// The traits that the page and Python share, and what the page says of a kernel that does not answer.

import type { AnyModel } from "@anywidget/types";
import type { Problem } from "../shown/picture.ts";
import type { Controls } from "../wire/controls.ts";

/** The traits of the model; none is trusted before it is decoded. */
export interface Synced extends Controls {
  _data: unknown;
  _frame: unknown;
  /** The comparators; absent in a page that was saved before there were any. */
  _comparators?: unknown;
  _ideal?: unknown;
  /** Limits at some alphas; absent in a file, which has them in its data, and until the kernel has computed them. */
  _stops?: unknown;
}

export type Model = AnyModel<Synced>;

export const SILENT: Problem = {
  fact: "The kernel no longer answers:",
  reason: "It may be busy, or gone. What the page can compute, it computes itself.",
};
/** The fact of a problem: a function that the user gave to `observe` has failed. */
export const OBSERVER = "Code in the notebook that follows this chart has failed:";
export const FIXED: Problem = {
  fact: "This band cannot move without a kernel:",
  reason: "Its limits at other α are too many to be saved with the page.",
};
