// Tells whether a kernel can answer. A host without a kernel sets the trait `_static`. With a kernel,
// Jupyter's widget manager knows whether it is alive. The page can read this only from the model of the
// layout (`comm_live`).

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
