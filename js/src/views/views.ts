// Lists the views of the page. A new view needs an entry here.

import { remembered } from "../base/remembered.ts";
import type { Mark, Reading } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import type { BandKind, ViewKind } from "../wire/controls.ts";
import type { Legend } from "../words/promise.ts";
import { BARE } from "./bare.ts";
import { corneredAxes, corneredMarks, isInside } from "./corner.ts";
import { IDEAL } from "./ideal.ts";
import { NET_BENEFIT } from "./net_benefit.ts";
import { OVERVIEW } from "./overview.ts";
import { PRECISION_RECALL } from "./precision_recall.ts";
import { RELIABILITY } from "./reliability.ts";
import { ROC } from "./roc.ts";
import { SAMPLING } from "./sampling.ts";
import { SETTLED_BENEFIT, SETTLED_PRECISION } from "./settled.ts";
import type { View } from "./view.ts";

const VIEWS: Record<ViewKind, View> = {
  roc: ROC,
  precision_recall: PRECISION_RECALL,
  reliability: RELIABILITY,
  net_benefit: NET_BENEFIT,
};

const OF_BANDS: Record<BandKind, View> = {
  sensitivity: ROC,
  specificity: ROC,
  both: ROC,
  ideal: IDEAL,
  sampling: SAMPLING,
  none: BARE,
};

const WITH_MORE_DATA: Partial<Record<ViewKind, View>> = {
  precision_recall: SETTLED_PRECISION,
  net_benefit: SETTLED_BENEFIT,
};

/**
 * Returns the view that draws a picture. It depends on the chosen view and band, and on whether several evaluations are
 * shown together.
 */
export function viewOf(picture: Picture): View {
  const { shown, view, band, evaluation } = picture;
  if (shown === null) return OVERVIEW;
  // If rows have no labels, all limits are of one kind: for the rates that the labels will show. So there is
  // no other view.
  if (evaluation.unlabelled) return band === "none" ? BARE : ROC;
  if (view === "roc") return OF_BANDS[band];
  return ((band === "sampling" || band === "none") && WITH_MORE_DATA[view]) || VIEWS[view];
}

/** Returns target, scope and guarantee of the limits, and how far the test points are from the calibration data. */
export const legendOf = (picture: Picture): Legend => viewOf(picture).promise(picture);

/** Returns the marks of the plot and the key. They are cached for the picture. */
export const marksOf = remembered((picture: Picture) =>
  isCornered(picture) ? corneredMarks(ownMarks(picture)) : ownMarks(picture),
);

const ownMarks = (picture: Picture) => named(viewOf(picture).marks(picture), picture.group.title);

/** Whether only the upper left corner is drawn. Only a ROC plot can be magnified. */
export const isCornered = ({ shown, view, zoom }: Picture) => zoom && (shown === null || view === "roc");

/**
 * Returns the values at the point of the curve nearest to a position. Null if that point is outside the magnified
 * corner.
 */
export function readingAt(picture: Picture, x: number, y: number): Reading | null {
  const reading = viewOf(picture).reading(picture, x, y);
  return reading && isCornered(picture) && !isInside(reading.x, reading.y) ? null : reading;
}

export function axesOf(picture: Picture) {
  const axes = viewOf(picture).axes(picture);
  return isCornered(picture) ? corneredAxes(axes) : axes;
}

/** Returns the marks. If the evaluation has a name, its curve has this name in the key. */
const named = (marks: Mark[], title = "") =>
  title === ""
    ? marks
    : marks.map((mark) => (mark.kind === "line" && mark.id === "curve" ? { ...mark, key: title } : mark));
