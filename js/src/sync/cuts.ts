// Where each of several classifiers is cut: at the threshold that is set, or where all are as sensitive.

import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { sensitivityTarget } from "../evaluation/threshold_rules.ts";
import type { OperatingPoint } from "../evaluation/types.ts";
import type { Controller } from "./controller.ts";
import type { Picture } from "./view_model.ts";

export interface Cut {
  threshold: number;
  point: OperatingPoint;
}

/** Widgets whose reader compares at the same sensitivity: all views of a widget agree. */
const alike = new WeakSet<Controller>();
const latest = new WeakMap<Controller, number>();

export const isAlike = (controller: Controller) => alike.has(controller);

export function setAlike(controller: Controller, isSet: boolean) {
  if (isSet) alike.add(controller);
  else alike.delete(controller);
}

/** To be called with each picture that is drawn: `leadOf` speaks of the one that was looked at last. */
export function rememberShown(controller: Controller, { shown }: Picture) {
  if (shown !== null) latest.set(controller, shown);
}

/** The classifier whose threshold is set: the one that is looked at, or was last, at first the first. */
export const leadOf = (controller: Controller, { shown, group }: Picture): number =>
  Math.min(shown ?? latest.get(controller) ?? 0, group.entries.length - 1);

/** Of equally sensitive ones each has its highest threshold at which it is as sensitive at least. */
export function cutsOf(controller: Controller, picture: Picture): Cut[] {
  const { group, frames, wanted } = picture;
  const at = (i: number, threshold: number) => ({
    threshold,
    point: operatingPointAt(group.entries[i], frames[i], threshold),
  });
  const lead = leadOf(controller, picture);
  const { point } = at(lead, wanted.threshold);
  return group.entries.map((entry, i) => {
    const isSame = i === lead || !isAlike(controller);
    // At 0 all are called, which is as sensitive as can be.
    return at(i, isSame ? wanted.threshold : (sensitivityTarget(entry, point.tpr)?.threshold ?? 0));
  });
}
