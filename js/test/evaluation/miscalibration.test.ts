// Checks whether bounds that exclude no score are called too wide to tell.

import { expect, test } from "vitest";
import { boundsAt, type CalibrationBand } from "../../src/evaluation/calibration_band.ts";
import { miscalibration } from "../../src/evaluation/miscalibration.ts";
import { sampleEvaluation } from "../sample.ts";

/** Fractions between 0 and 1, the same ones in each run. */
function fractions() {
  let state = 1;
  return () => {
    state = (48271 * state) % 2147483647;
    return state / 2147483647;
  };
}

test("bounds are too wide if over the rows their mean distance, each looked up, exceeds two thirds", () => {
  const next = fractions();
  const verdicts = new Map<string, number>();
  for (let round = 0; round < 300; round++) {
    const scores = Float64Array.from({ length: 2 + Math.floor(12 * next()) }, next).sort();
    const known = scores.filter(() => next() < 0.7);
    const wide = next();
    const band = {
      ...{
        first: known,
        last: known.map((score, i) =>
          i + 1 < known.length && next() < 0.3 ? score + (known[i + 1] - score) / 2 : score,
        ),
      },
      ...{ alpha: 0.1, refuted: false, isotonic: known },
      lower: known.map((score) => score * (1 - wide)),
      upper: known.map((score) => 1 - (1 - score) * (1 - wide)),
    } as CalibrationBand;
    const thresholds = Float64Array.from([Number.POSITIVE_INFINITY, ...scores.toReversed()]);
    const rows = Array.from(thresholds, (_, i) => (i === 0 ? 0 : 1 + Math.floor(3 * next())));
    const called = Float64Array.from(rows, (_, i) => rows.slice(0, i + 1).reduce((a, b) => a + b, 0));
    const truePositives = called.map((all) => Math.floor(all / 2));
    const evaluation = {
      ...sampleEvaluation(),
      ...{ thresholds, truePositives, falsePositives: called.map((all, i) => all - truePositives[i]) },
    };
    let [sum, n] = [0, 0];
    thresholds.forEach((score, i) => {
      const [low, high] = boundsAt(band, score);
      sum += rows[i] * (high - low);
      n += rows[i];
    });
    const wanted = sum / n > 2 / 3 ? "few" : "none";
    expect(miscalibration(band, evaluation).verdict, `round ${round}`).toBe(wanted);
    verdicts.set(wanted, (verdicts.get(wanted) ?? 0) + 1);
  }
  expect(Math.min(...verdicts.values())).toBeGreaterThan(50);
  expect(verdicts.size).toBe(2);
});
