/** Logit of a threshold. No interval's end lies above 1, and every finite one lies above 0. */
export function logit(threshold: number): number {
  if (threshold >= 1) return Number.POSITIVE_INFINITY;
  if (threshold <= 0) return Number.NEGATIVE_INFINITY;
  if (threshold < 0.3 || threshold > 0.65) return Math.log(threshold / (1 - threshold));
  // Around 1/2 the plain formula loses digits; scipy.special.logit does the same.
  const twice = 2 * (threshold - 0.5);
  return Math.log1p(twice) - Math.log1p(-twice);
}

export const expit = (x: number) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x)));
