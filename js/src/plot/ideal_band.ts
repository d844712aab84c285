// The ideal model's own curve on the plot: its band, its median, the arm at the operating point.

import { setVisible, svg } from "../base/dom.ts";
import { type IdealCurve, idealLimits } from "../evaluation/ideal_curve.ts";
import type { OperatingPoint } from "../evaluation/types.ts";
import { BOTH } from "../evaluation/vacuous.ts";
import { createBandShape } from "./band_shape.ts";
import { pathOf, type Square } from "./geometry.ts";

export function createIdealBand() {
  const shape = createBandShape("crw-label1", "band-ideal");
  const median = svg("path", { class: "crw-edge crw-label1 crw-ideal-median" });
  const element = svg("g", {}, shape.element, median);
  return {
    element,
    draw(ideal: IdealCurve | null, square: Square, isMoving: boolean) {
      setVisible(element, ideal !== null);
      if (ideal === null) return;
      shape.draw(ideal, BOTH, square, isMoving);
      median.setAttribute("d", pathOf(ideal.median, square));
    },
  };
}

/** The point with the limits of an ideal model's TPR at its FPR. */
export function idealArm(ideal: IdealCurve, point: OperatingPoint): OperatingPoint {
  const [tprLower, tprUpper] = idealLimits(ideal, point.fpr);
  return { ...point, tprLower, tprUpper, fprLower: point.fpr, fprUpper: point.fpr };
}
