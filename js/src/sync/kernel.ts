// Whether a kernel is there to answer. The host of a page without one says so. Widget managers of the Jupyter family
// know it for every model; the page can reach a single one, its layout, and asks that.

import { isRecord } from "../wire/readers.ts";

interface Traits {
  get(name: string): unknown;
}

export function hasKernel(model: Traits): boolean {
  if (model.get("_static") === true) return false;
  const layout = model.get("layout");
  return !isRecord(layout) || layout.comm_live !== false;
}

/** Whether the host hears of a setting from the page that saves it, and not from the kernel: marimo has no widget manager. */
export const hearsSaves = (model: Traits): boolean => hasKernel(model) && !isRecord(model.get("layout"));
