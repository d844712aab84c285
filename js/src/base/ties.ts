/** Logits closer than this are equal, as in ties.py. */
export const TIE = 2 ** -32;
