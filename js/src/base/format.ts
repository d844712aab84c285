export const MINUS = "\u2212";

export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

export const rate = (value: number) => fixed(value, 2);

/** Two decimals, three where two do not name the threshold; next to 0 and 1 as many as tell it from them. */
export function thresholdText(threshold: number): string {
  const tail = Math.min(threshold, 1 - threshold);
  if (tail > 0 && tail < 0.0005) return fixed(threshold, decimalsTo(tail));
  const three = fixed(threshold, 3);
  return three.endsWith("0") ? three.slice(0, -1) : three;
}

export const signed = (value: number, digits = 2) => (value > 0 ? "+" : "") + fixed(value, digits);

export const range = (lower: number, upper: number) => `${rate(lower)} to ${rate(upper)}`;

/** Two decimals, three where alpha is small or needs them: the decimal the kernel computes with is the one shown. */
export function significance(alpha: number): string {
  const three = alpha.toFixed(3);
  return alpha >= 0.02 && three.endsWith("0") ? three.slice(0, -1) : three;
}

/** "95 %", "98.75 %": up to four decimals, more where a share that is not 0 or 1 would read "0 %" or "100 %". */
export function percent(fraction: number): string {
  const tail = 100 * Math.min(fraction, 1 - fraction);
  const digits = tail > 0 && tail < 0.00005 ? decimalsTo(tail) : 4;
  return `${fixed(100 * fraction, digits).replace(/\.?0+$/, "")} %`;
}

/** Decimals up to the first digit of a small number that is not 0. */
const decimalsTo = (tail: number) => Math.min(-Math.floor(Math.log10(tail)), 12);

/** Cut after one decimal, never rounded up: for what is said to be at least so much. */
export function percentDown(fraction: number): string {
  return `${(Math.floor(1000 * fraction + 1e-9) / 10).toFixed(1)} %`;
}

export function ordinal(n: number): string {
  const teens = n % 100 >= 11 && n % 100 <= 13;
  const suffix = teens ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${count(n)}${suffix}`;
}

export const count = (n: number) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
