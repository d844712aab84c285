// Quantiles of the beta distribution: exact binomial limits are such. Python has them from SciPy.

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);
/** Above this Stirling's series is exact to the last digits. */
const LARGE = 10;

/** Logarithm of the gamma function, for x of at least 1. */
function logGamma(x: number): number {
  let product = 1;
  let z = x;
  for (; z < LARGE; z++) product *= z;
  const w = 1 / (z * z);
  const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z;
  return (z - 0.5) * Math.log(z) - z + HALF_LOG_TWO_PI + series - Math.log(product);
}

const SMALLEST = 1e-300;
const MOST_TERMS = 100_000;

/** The continued fraction of the incomplete beta function over its first term, by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  let numerator = 1;
  let denominator = 0;
  let value = 1;
  for (let i = 1; i < MOST_TERMS; i++) {
    const m = i >> 1;
    const place = a + i;
    const term =
      i & 1
        ? (-(a + m) * (a + b + m) * x) / ((place - 1) * place)
        : (m * (b - m) * x) / ((place - 1) * place);
    denominator = 1 / (1 + term * denominator || SMALLEST);
    numerator = 1 + term / numerator || SMALLEST;
    const change = numerator * denominator;
    value *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return 1 / value;
}

/**
 * Where the beta distribution with parameters of at least 1 has the probability `level`, below one half, to its left.
 *
 * Newton's method on the logarithm of that probability over the logit of the place: it is concave there, so that the
 * steps cannot leave the root behind.
 */
export function betaQuantile(level: number, a: number, b: number): number {
  const wanted = Math.log(level) + logGamma(a) + logGamma(b) - logGamma(a + b);
  const middle = Math.log(a / b);
  let u = Math.min(middle, middle - 2 * beyondMiddle(level, a, b));
  for (let i = 0; i < 100; i++) {
    const logX = u < 0 ? u - Math.log1p(Math.exp(u)) : -Math.log1p(Math.exp(-u));
    const inner = fraction(Math.exp(logX), a, b) / a;
    const step = (a * logX + b * (logX - u) + Math.log(inner) - wanted) * inner;
    u -= step;
    if (Math.abs(step) < 1e-9) break;
  }
  return 1 / (1 + Math.exp(-u));
}

/** About half the distance from the middle to the quantile on the logit scale (Abramowitz and Stegun 26.5.22). */
function beyondMiddle(level: number, a: number, b: number): number {
  const t = Math.sqrt(-2 * Math.log(level));
  const z = t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t));
  const [left, right] = [1 / (2 * a - 1), 1 / (2 * b - 1)];
  const h = 2 / (left + right);
  const lambda = (z * z - 3) / 6;
  return (z * Math.sqrt(h + lambda)) / h - (right - left) * (lambda + 5 / 6 - 2 / (3 * h));
}
