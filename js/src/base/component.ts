import type { Picture } from "../sync/view_model.ts";

/** From wide to narrow: two columns, the modules beside each other under the plot, one column. */
export type Width = "wide" | "medium" | "narrow";

/** A piece of the view that is built once and brought up to date at each drawing. */
export interface Component {
  element: HTMLElement;
  draw(picture: Picture, width: Width): void;
}
