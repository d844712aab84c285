/** Two values: one for label 0 and one for label 1, or a lower and an upper one. */
export type Pair<T> = readonly [T, T];
