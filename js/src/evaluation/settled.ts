// Computes confidence limits for this classifier in the population at a threshold fixed beforehand: for its rates,
// precision and net benefit. In Python: decisions/settled.py.

import type { Pair } from "../base/pair.ts";
import { limitsOfMean } from "./estimate.ts";
import { type Looks, shareAtAnyLook } from "./looks.ts";
import { heightAt, vertexAt } from "./observed_curve.ts";
import { ownPrevalence, precisionAt } from "./precision_recall.ts";
import type { Evaluation, Label } from "./types.ts";

/** The largest number of a curve's vertices that have confidence limits. A screen cannot show more. */
const MOST_PLACES = 101;

/**
 * Returns the indices of the vertices that have confidence limits: all n or, if there are more than `MOST_PLACES`, that
 * many at even steps from the first to the last.
 */
export function placesOf(n: number): number[] {
  const length = Math.min(n, MOST_PLACES);
  return Array.from({ length }, (_, i) => Math.floor((i * (n - 1)) / Math.max(length - 1, 1)));
}

/** The false and the true positive rate at one threshold. */
interface Rates {
  fpr: number;
  tpr: number;
}

/** The numbers from which the confidence limits at one threshold are computed. */
export interface Settled extends Rates {
  /** The share of positives among the test rows. */
  own: number;
  /**
   * Effective sample sizes. `ofRates` has those of the false and of the true positive rate. `ofAll` has those
   * of two shares of all rows: the false positives and the true positives.
   */
  ofRates: Pair<number>;
  ofAll: Pair<number>;
  /**
   * Effective sample size of the precision. `ratio` is the weight of a true positive divided by that of a false
   * positive.
   */
  ofCalled: number;
  ratio: number;
  /**
   * Two correlations. The first is the correlation of the two rates. The second is the correlation of two
   * shares of all rows: the false positives and the true positives.
   */
  together: Pair<number>;
}

/**
 * The number of arrays that `Evaluation.settled` contains one after the other. Each array has one number for
 * each index of `placesOf`.
 */
export const SETTLED_ARRAYS = 8;

/**
 * Returns the numbers from which the limits at a threshold are computed. `rates` are the rates there. Null if the
 * kernel has not sent them.
 */
export function settledAt(evaluation: Evaluation, rates: Rates, threshold: number): Settled | null {
  const { nTest, settled, thresholds } = evaluation;
  if (!evaluation.weighted) return ofCounts(rates, nTest);
  const places = placesOf(thresholds.length);
  if (settled?.length !== SETTLED_ARRAYS * places.length) return null;
  const x = Float64Array.from(places);
  const at = vertexAt(thresholds, threshold);
  const [n0, n1, all0, all1, ofCalled, ratio, given, own] = Array.from({ length: SETTLED_ARRAYS }, (_, k) =>
    heightAt({ x, y: settled.subarray(k * x.length, (k + 1) * x.length) }, at),
  );
  return {
    ...{ fpr: rates.fpr, tpr: rates.tpr, own: ownPrevalence(evaluation), ofCalled, ratio },
    ...{ ofRates: [n0, n1], ofAll: [all0, all1], together: [given, own] },
  };
}

/**
 * Returns the numbers from which limits are computed if rows have neither weights nor groups. Rates and shares are then
 * binomial.
 */
function ofCounts({ fpr, tpr }: Rates, [n0, n1]: Pair<number>): Settled {
  const all = n0 + n1;
  const [fp, tp] = [Math.round(fpr * n0), Math.round(tpr * n1)];
  const [wrong, right] = [fp / all, tp / all];
  return {
    ...{ fpr, tpr, own: n1 / all, ofCalled: fp + tp, ratio: 1, ofRates: [n0, n1], ofAll: [all, all] },
    together: [0, -Math.sqrt((wrong * right) / ((1 - wrong) * (1 - right)))],
  };
}

/** Returns the limits of the true positive rate (label 1) or of the false positive rate (label 0). */
export function settledRate(settled: Settled, label: Label, alpha: number, looks: Looks = "once") {
  const [rate, rows] = [label === 1 ? settled.tpr : settled.fpr, settled.ofRates[label]];
  return looks === "any" ? shareAtAnyLook(rate, rows, alpha) : limitsOfMean(rate, rows, alpha);
}

/**
 * Returns the limits of the precision at the prevalence `share` or, if it is null, at the prevalence among the rows.
 */
export function settledPrecision(settled: Settled, alpha: number, share: number | null): Pair<number> {
  const { fpr, tpr, own, ratio, ofCalled } = settled;
  const counted = precisionAt(tpr / ratio, fpr, own);
  const [low, high] = limitsOfMean(Number.isNaN(counted) ? 0 : counted, ofCalled, alpha);
  const given = share ?? own;
  const odds = (ratio * (given / own)) / ((1 - given) / (1 - own));
  const moved = (end: number) => (odds * end) / (odds * end + (1 - end));
  return [moved(low), moved(high)];
}

/**
 * Returns the limits of the net benefit, from the limits of two shares and their correlation (Zou and Donner
 * 2008). If the prevalence `share` is given, the two shares are the two rates. If `share` is null, the
 * prevalence varies too, and the two shares are the false and the true positives divided by all rows.
 */
export function settledBenefit(
  settled: Settled,
  alpha: number,
  odds: number,
  share: number | null,
): Pair<number> {
  const { fpr, tpr, own, ofAll, ofRates, together } = settled;
  const values = share === null ? [(1 - own) * fpr, own * tpr] : [fpr, tpr];
  const rows = share === null ? ofAll : ofRates;
  const weights = share === null ? [odds, 1] : [(1 - share) * odds, share];
  const [wrong, right] = [0, 1].map((k) =>
    limitsOfMean(values[k], rows[k], alpha).map((end) => weights[k] * (end - values[k])),
  );
  const value = weights[1] * values[1] - weights[0] * values[0];
  const both = together[share === null ? 1 : 0];
  // `wrong` are the limits of the false positives, which lower the net benefit. So their upper limit belongs
  // to the lower limit of the net benefit, and `a` and `b` have opposite signs.
  const far = (a: number, b: number) => Math.sqrt(Math.max(a * a + b * b + 2 * both * a * b, 0));
  return [value - far(right[0], wrong[1]), value + far(right[1], wrong[0])];
}

const HUNDREDTHS = Float64Array.from({ length: 101 }, (_, i) => i / 100);

/**
 * Returns the effective sample size of a mean rate at a threshold, interpolated between hundredths of the threshold.
 */
export const rowsAt = (rows: ArrayLike<number>, threshold: number) =>
  heightAt({ x: HUNDREDTHS, y: Float64Array.from(rows) }, threshold);
