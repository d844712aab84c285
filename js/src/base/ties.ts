/** Two logits count as equal if they differ by less than this. logits.py has the same number. */
export const TIE = 2 ** -32;
