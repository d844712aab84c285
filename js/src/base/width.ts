/** The layout: two columns ("wide"), panels side by side below the plot ("medium"), or one column ("narrow"). */
export type Width = "wide" | "medium" | "narrow";
