import { describe, expect, test } from "vitest";
import type { Picture } from "../../src/sync/view_model.ts";
import {
  BASELINES,
  calloutLines,
  type OtherView,
  positiveName,
  prevalenceOf,
  rangeLines,
  VIEW_COLUMNS,
  viewCorner,
  viewLegend,
  viewPoint,
  viewPointText,
  viewRows,
  viewSentence,
} from "../../src/words/views.ts";
import { pictureOf } from "../picture.ts";

const VIEWS: OtherView[] = ["precision_recall", "reliability", "net_benefit"];
const picture = pictureOf({}, { classes: ["well", "ill"] });
const sentence = (of: Picture, view: OtherView) =>
  viewSentence(of, view)
    .map(({ text }) => text)
    .join("");
const used = { ...picture, prevalence: 0.1 };
const at = (threshold: number, point: object = {}): Picture => ({
  ...picture,
  frame: { ...picture.frame, threshold, point: { ...picture.frame.point, ...point } },
});

describe("precision and recall", () => {
  test("counts the calls and how many of them are right", () => {
    const { lower, upper } = viewPoint(picture, "precision_recall");
    expect(sentence(picture, "precision_recall")).toBe(
      "At threshold 0.50, this classifier calls 5 of these 9 test points ill, and 3 of them are: a precision of " +
        `0.60. An ideal model, cut at the same threshold on the same points, could have a precision from ` +
        `${lower.toFixed(2)} to ${upper.toFixed(2)}, as far as both 95 % intervals allow.`,
    );
    // Recall 0.50 to 1, false positive rate 0.80 to 0.20, on 4 and 5 points.
    expect(lower).toBeCloseTo(2 / 6, 14);
    expect(upper).toBeCloseTo(4 / 5, 14);
  });

  test("says where another share is positive", () => {
    expect(sentence(used, "precision_recall")).toContain("a precision of 0.17 where 10 % are ill.");
    expect(viewPoint(used, "precision_recall").y).toBeCloseTo(0.075 / (0.075 + 0.36), 14);
  });

  test("has no precision where nobody is called", () => {
    expect(sentence(at(1, { tp: 0, fp: 0 }), "precision_recall")).toBe(
      "At threshold 1.00, this classifier calls none of these 9 test points ill, and has no precision.",
    );
  });
});

test("net benefit names the risk, the share of positives, and both simple rules", () => {
  expect(sentence(picture, "net_benefit")).toContain(
    "At threshold 0.50, a risk of 0.50 where 44.4 % are ill, calling by this classifier has a net benefit of 0.111; " +
      "calling all has −0.111, calling none 0.",
  );
  expect(sentence(used, "net_benefit")).toContain("where 10 % are ill");
  expect(sentence(at(1), "net_benefit")).toBe(
    "At threshold 1 a false alarm weighs more than any call can gain.",
  );
});

test("reliability reads the isotonic line and the bounds at the threshold", () => {
  const { y, lower, upper } = viewPoint(picture, "reliability");
  expect(sentence(picture, "reliability")).toBe(
    "At score 0.50, isotonic regression on these 9 test points gives ill a probability of " +
      `${y.toFixed(2)}. The band holds the probability at every score at once, at this one between ` +
      `${lower.toFixed(2)} and ${upper.toFixed(2)}, with 95 % confidence, if a higher score never means a lower ` +
      "probability.",
  );
});

test("a range of two intervals promises no level of its own, limits at every threshold at once do", () => {
  for (const view of ["precision_recall", "net_benefit"] as const) {
    expect(viewLegend(picture, view).guarantee).toContain("none (computed from both limits together)");
    expect(viewLegend(picture, view).target).toContain("an ideal model");
    const evaluation = { ...picture.evaluation, simultaneous: true };
    const frame = {
      ...picture.frame,
      kind: "simultaneous" as const,
      model: "an ideal recalibration" as const,
      target: "an ideal recalibration of this score",
    };
    const joint = viewLegend({ ...picture, evaluation, frame }, view);
    expect(joint.guarantee).toBe(picture.frame.guarantee);
    expect(joint.target).toContain("an ideal recalibration of this score");
  }
  expect(viewLegend(picture, "reliability")).toEqual({
    target: "P(y = 1 | score), the ideal recalibration of this score",
    scope: "every score at once",
    guarantee: "at least 95 % for every sample size, if a higher score never means a lower probability",
  });
  expect(rangeLines(picture, "reliability")[0][0].text).toBe("95 % calibration band");
});

test("the share of positives is the one that is set, else the test set’s own", () => {
  expect(prevalenceOf(picture)).toBe(4 / 9);
  expect(prevalenceOf(used)).toBe(0.1);
  expect(positiveName(picture)).toBe("ill");
  expect(positiveName(pictureOf())).toBe("class 1");
});

test("corner and callout have the numbers of the point", () => {
  expect(viewCorner(picture, "net_benefit")).toBe("Net benefit 0.111");
  expect(viewCorner(picture, "reliability")).toBe("");
  // As precision_recall.test.ts has it by hand.
  expect(viewCorner(picture, "precision_recall")).toBe(
    `Average precision ${(1 / 2 + (1 / 4) * (3 / 5) + (1 / 4) * (4 / 7)).toFixed(2)}`,
  );
  expect(viewPointText(picture, "precision_recall")).toBe(
    "threshold 0.50; precision 0.60 0.33 to 0.80; recall 0.75 0.50 to 1.00",
  );
  expect(calloutLines(picture, "net_benefit")).toHaveLength(2);
});

test.each(VIEWS)("%s has a row of numbers a vertex, its columns named", (view) => {
  const rows = viewRows(picture, view);
  expect(rows).toHaveLength(picture.evaluation.thresholds.length);
  const { x, y, lower, upper } = viewPoint(picture, view);
  const vertex = rows[3];
  expect(vertex).toHaveLength(VIEW_COLUMNS[view].length);
  expect(vertex.slice(-4, -2)).toEqual([x, y]);
  if (view === "reliability") expect(vertex.slice(-2)).toEqual([lower, upper]);
  else expect(vertex[0]).toBe(0.5);
  expect(BASELINES[view]).not.toBe("");
});
