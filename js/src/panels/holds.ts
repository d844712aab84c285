// Moves of the operating point, by hand and by keys: along the curve of one evaluation, or the average of several.

import { clamp } from "../base/scale.ts";
import { thresholdSteps } from "../base/steps.ts";
import type { Hold } from "../draw/point_handle.ts";
import type { Scales } from "../draw/scales.ts";
import { nearestVertex, settableThreshold, vertexAt } from "../evaluation/observed_curve.ts";
import { averageOf, readingOf, thresholdFor } from "../shown/overview_numbers.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import type { View } from "../views/view.ts";

const PAGES = 20;

export const holdOf = (controller: Controller, view: View, picture: Picture, scales: Scales): Hold =>
  picture.shown === null
    ? averageHold(controller, view, picture)
    : curveHold(controller, view, picture, scales);

/** The handle's moves along the observed curve, from vertex to vertex. */
function curveHold(controller: Controller, view: View, picture: Picture, { across, up }: Scales): Hold {
  const { thresholds } = picture.evaluation;
  const last = thresholds.length - 1;
  const now = vertexAt(thresholds, picture.wanted.threshold);
  // Several keys may come before the next drawing.
  const step = (by: number) => goTo(vertexAt(thresholds, controller.wanted.threshold) + by);
  const goTo = (vertex: number) =>
    controller.setThreshold(settableThreshold(thresholds, clamp(vertex, 0, last)));
  const page = Math.max(1, Math.round(thresholds.length / PAGES));
  return {
    ...{ label: "Operating point", min: 0, max: last, now, text: view.spoken(picture) },
    moveTo(x, y) {
      // The vertex that is nearest to the hand in pixels.
      const ratio = up.unit / across.unit;
      const track = view.track(picture);
      goTo(nearestVertex({ x: track.x, y: track.y.map((each) => each * ratio) }, x, y * ratio));
    },
    arrow: (sign) => step(sign),
    page: (sign) => step(sign * page),
    home: () => goTo(0),
    end: () => goTo(last),
  };
}

/** The handle's moves along the averaged curve, which is read at the mean of the classes' false positive rates. */
function averageHold(controller: Controller, view: View, picture: Picture): Hold {
  const { group } = picture;
  const set = (threshold: number) => controller.setThreshold(clamp(threshold, 0, 1));
  return {
    label: "Mean false positive rate of the classes, set by their threshold",
    ...{ min: 0, max: 1, now: readingOf(picture).fpr, text: view.spoken(picture) },
    moveTo: (x) => set(thresholdFor(group.entries, averageOf(picture).weights, clamp(x, 0, 1))),
    arrow: (sign) => set(thresholdSteps.arrow(controller.wanted.threshold, sign > 0 ? -1 : 1)),
    page: (sign) => set(thresholdSteps.page(controller.wanted.threshold, sign > 0 ? -1 : 1)),
    home: () => set(1),
    end: () => set(0),
  };
}
