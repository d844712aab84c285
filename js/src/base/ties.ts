/** Logits closer than this are equal, as in logits.py. */
export const TIE = 2 ** -32;
