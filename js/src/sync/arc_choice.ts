// Of an ideal recalibration: the arc along the curve, or the band at fixed thresholds.

import type { Controller } from "./controller.ts";
import type { Picture } from "./view_model.ts";

/** Widgets whose reader has chosen the band: all views of a widget agree. */
const withBand = new WeakSet<Controller>();

export const showsArc = (controller: Controller, { evaluation, shown, group }: Picture) =>
  evaluation.simultaneous && (shown !== null || group.kind === "single") && !withBand.has(controller);

export function showArc(controller: Controller, isArc: boolean) {
  if (isArc) withBand.delete(controller);
  else withBand.add(controller);
}
