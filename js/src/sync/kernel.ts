// Tells whether a kernel can answer. A host without one sets the trait `_static`. Jupyter's widget managers know
// whether the kernel of a model lives. The page can ask them only about the model's layout, so it asks that.

import { isRecord } from "../wire/readers.ts";

interface Traits {
  get(name: string): unknown;
}

export function hasKernel(model: Traits): boolean {
  if (model.get("_static") === true) return false;
  const layout = model.get("layout");
  return !isRecord(layout) || layout.comm_live !== false;
}

/**
 * Whether the host reads settings from what the page saves, and not from the kernel. marimo does so, because it has no
 * widget manager.
 */
export const hearsSaves = (model: Traits): boolean => hasKernel(model) && !isRecord(model.get("layout"));
