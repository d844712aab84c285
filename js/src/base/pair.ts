/** Two values: one for label 0 and one for label 1, or a lower and an upper one. */
export type Pair<T> = readonly [T, T];

/** Makes a value for each label and each side: first both of label 0, with the lower one before the upper one. */
export const byLabelAndSide = <T>(of: (label: 0 | 1, side: 0 | 1) => T): Pair<Pair<T>> => [
  [of(0, 0), of(0, 1)],
  [of(1, 0), of(1, 1)],
];
