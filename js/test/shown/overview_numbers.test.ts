import { expect, test } from "vitest";
import { vertexAt } from "../../src/evaluation/observed_curve.ts";
import { averageOf, meanWidth, readAt, readingOf, thresholdFor } from "../../src/shown/overview_numbers.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

test("the averaged curve is read at the classes' mean FPR", () => {
  const picture = overviewPicture("classes", "a", "b");
  const reading = readingOf(picture);
  expect(reading).toMatchObject({ fpr: 0.4, tpr: 0.75, tprLower: 0.5, tprUpper: 1 });
  expect(averageOf(picture)).toBe(averageOf(picture));
  expect(readAt(averageOf(picture), 7)).toMatchObject({ fpr: 1, tpr: 1 });
});

test("a wish for a mean FPR becomes the smallest threshold that keeps to it", () => {
  const { entries } = overviewPicture("classes", "a", "b").group;
  const meanFpr = (threshold: number) => entries[0].fpr[vertexAt(entries[0].thresholds, threshold)];
  for (const wish of [0, 0.2, 0.3, 0.59, 0.6, 1]) {
    const threshold = thresholdFor(entries, [0.5, 0.5], wish);
    expect(meanFpr(threshold)).toBeLessThanOrEqual(wish);
    if (threshold > 0) expect(meanFpr(threshold - 0.001)).toBeGreaterThan(wish);
  }
});

test("the mean width of a band is the area between its limits", () => {
  const { evaluation, frame } = pictureOf();
  // FPR 0, 0, .2, .4, .6, 1 and widths 0, .5, .75, .5, .25, 0. Each width holds up to the next FPR.
  expect(meanWidth(evaluation, frame)).toBeCloseTo(0.2 * 0.5 + 0.2 * 0.75 + 0.2 * 0.5 + 0.4 * 0.25, 12);
});
