// Rates, precision and net benefit with more test data, at a threshold fixed beforehand; their twin is settled.py.

import type { Pair } from "../base/pair.ts";
import { limitsOfMean } from "./estimate.ts";
import { type Looks, shareAtAnyLook } from "./looks.ts";
import { heightAt, vertexAt } from "./observed_curve.ts";
import { ownPrevalence, precisionAt } from "./precision_recall.ts";
import type { Evaluation, Label } from "./types.ts";

/** The most vertices of a curve with limits of their own: a screen cannot show more. */
const MOST_PLACES = 101;

/** Which of n vertices have limits: all, or so many at even steps, the first and the last. */
export function placesOf(n: number): number[] {
  const length = Math.min(n, MOST_PLACES);
  return Array.from({ length }, (_, i) => Math.floor((i * (n - 1)) / Math.max(length - 1, 1)));
}

/** Both rates at one threshold. */
interface Rates {
  fpr: number;
  tpr: number;
}

/** The numbers behind limits of shares at one threshold. */
export interface Settled extends Rates {
  /** The share of label 1 among the rows. */
  own: number;
  /** Effective rows of each rate, and of each share of all rows that is called. */
  ofRates: Pair<number>;
  ofAll: Pair<number>;
  /** Effective rows of the precision; `ratio` is the weight of a row called rightly over that of one called wrongly. */
  ofCalled: number;
  ratio: number;
  /** Correlations of both rates, and of both shares of all rows. */
  together: Pair<number>;
}

/** Arrays of such numbers, one after the other: each of so many. */
export const SETTLED_ARRAYS = 8;

/** At a threshold with these rates; null if nobody knows it. */
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

/** Binomial rates and shares, if rows have neither weights nor groups. */
function ofCounts({ fpr, tpr }: Rates, [n0, n1]: Pair<number>): Settled {
  const all = n0 + n1;
  const [fp, tp] = [Math.round(fpr * n0), Math.round(tpr * n1)];
  const [wrong, right] = [fp / all, tp / all];
  return {
    ...{ fpr, tpr, own: n1 / all, ofCalled: fp + tp, ratio: 1, ofRates: [n0, n1], ofAll: [all, all] },
    together: [0, -Math.sqrt((wrong * right) / ((1 - wrong) * (1 - right)))],
  };
}

/** Limits of a label's rate. */
export function settledRate(settled: Settled, label: Label, alpha: number, looks: Looks = "once") {
  const [rate, rows] = [label === 1 ? settled.tpr : settled.fpr, settled.ofRates[label]];
  return looks === "any" ? shareAtAnyLook(rate, rows, alpha) : limitsOfMean(rate, rows, alpha);
}

/** Limits of the precision, at the rows' own share of positives or at one that is given. */
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
 * Limits of the net benefit, from the limits of two shares and their correlation (Zou and Donner 2008). Without a
 * given share of positives they are shares of all rows, for that share varies too; with one they are shares of each
 * label.
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
  // A false alarm costs, so that the upper limit of its share makes the lower one here: of two errors one is below 0.
  const far = (a: number, b: number) => Math.sqrt(Math.max(a * a + b * b + 2 * both * a * b, 0));
  return [value - far(right[0], wrong[1]), value + far(right[1], wrong[0])];
}

const HUNDREDTHS = Float64Array.from({ length: 101 }, (_, i) => i / 100);

/** Effective rows of a mean rate at a threshold, interpolated between hundredths. */
export const rowsAt = (rows: ArrayLike<number>, threshold: number) =>
  heightAt({ x: HUNDREDTHS, y: Float64Array.from(rows) }, threshold);
