/** Layout: two columns (wide), the panels beside each other under the plot (medium), or one column (narrow). */
export type Width = "wide" | "medium" | "narrow";
