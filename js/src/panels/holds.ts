// Lets the user move the operating point by pointer and keys, along an evaluation's curve or along an average of
// curves.

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

/** Moves the handle from vertex to vertex of the observed curve. */
function curveHold(controller: Controller, view: View, picture: Picture, { across, up }: Scales): Hold {
  const { thresholds } = picture.evaluation;
  const last = thresholds.length - 1;
  const now = vertexAt(thresholds, picture.wanted.threshold);
  // Several keys may be pressed before the next drawing. So a step starts from the wanted threshold, and not
  // from the drawn one.
  const step = (by: number) => goTo(vertexAt(thresholds, controller.wanted.threshold) + by);
  const goTo = (vertex: number) =>
    controller.setThreshold(settableThreshold(thresholds, clamp(vertex, 0, last)));
  const page = Math.max(1, Math.round(thresholds.length / PAGES));
  return {
    ...{ label: "Operating point", min: 0, max: last, now, text: view.spoken(picture) },
    moveTo(x, y) {
      // The nearest vertex is chosen by distances in pixels, so y is scaled to the unit of x.
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

/**
 * Moves the handle along the average of the classes' curves, which is read at the mean of their false positive rates.
 */
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
