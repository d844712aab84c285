// Tells whether a kernel can answer. A host without one sets the trait `_static`. Jupyter's widget managers
// know whether the kernel of a model is alive. The page can read this only from the layout of the model
// (`comm_live`).

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
 * Whether the host learns settings only from the page's saves, and not from the kernel. marimo is such a
 * host. A host without a widget manager sends no layout.
 */
export const hearsSaves = (model: Traits): boolean => hasKernel(model) && !isRecord(model.get("layout"));
