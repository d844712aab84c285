// Whether the arc of an ideal recalibration is drawn.

import type { Picture } from "./view_model.ts";

/** Of an ideal recalibration, whether the arc along the curve is drawn, or the band at fixed thresholds. */
export const showsArc = ({ evaluation, shown, group, page }: Picture) =>
  evaluation.simultaneous && (shown !== null || group.kind === "single") && page.arc;
