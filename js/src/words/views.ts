// Names of the views.

import type { ViewKind } from "../wire/messages.ts";

/** The views in the order in which they are chosen. */
export const VIEW_NAMES: Record<ViewKind, string> = {
  roc: "ROC curve",
  precision_recall: "Precision-recall",
  reliability: "Reliability",
  net_benefit: "Net benefit",
};
