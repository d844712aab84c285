/** One for each label, label 0 first, or a lower and an upper one. */
export type Pair<T> = readonly [T, T];
