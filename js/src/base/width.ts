/** From wide to narrow: two columns, the panels beside each other under the plot, one column. */
export type Width = "wide" | "medium" | "narrow";
