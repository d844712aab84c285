// What every view is made of: axes and marks, decided from a picture alone.

import type { Axis, Mark } from "../scene.ts";
import type { Picture } from "../sync/view_model.ts";

/** A way to look at an evaluation. */
export interface View {
  axes(picture: Picture): { across: Axis; up: Axis };
  /** Everything on the plot, the lowest first. */
  marks(picture: Picture): Mark[];
}
