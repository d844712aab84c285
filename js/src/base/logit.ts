// Converts probabilities to log-odds, and back.

/**
 * Returns the logit of a threshold. If the threshold is at least 1, the logit is +Infinity, so that no
 * interval of a score ends above it. If the threshold is at most 0, the logit is -Infinity, so that every
 * finite end of an interval is above it.
 */
export function logit(threshold: number): number {
  if (threshold >= 1) return Number.POSITIVE_INFINITY;
  if (threshold <= 0) return Number.NEGATIVE_INFINITY;
  if (threshold < 0.3 || threshold > 0.65) return Math.log(threshold / (1 - threshold));
  // Near 1/2 the plain formula loses digits. scipy.special.logit uses this formula there too.
  const twice = 2 * (threshold - 0.5);
  return Math.log1p(twice) - Math.log1p(-twice);
}

export const expit = (x: number) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x)));
