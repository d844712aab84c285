import { expect, test } from "vitest";
import {
  BASELINES,
  type OtherView,
  positiveName,
  prevalenceOf,
  VIEW_COLUMNS,
  viewCorner,
  viewLegend,
  viewPoint,
  viewPointText,
  viewRows,
} from "../../src/words/views.ts";
import { pictureOf } from "../picture.ts";

const VIEWS: OtherView[] = ["precision_recall", "reliability", "net_benefit"];
const picture = pictureOf({}, { classes: ["well", "ill"] });
const used = { ...picture, prevalence: 0.1 };
test("precision is read off at the point, and has the range that both intervals allow", () => {
  const { lower, upper } = viewPoint(picture, "precision_recall");
  // Recall 0.50 to 1, false positive rate 0.80 to 0.20, on 4 and 5 points.
  expect(lower).toBeCloseTo(2 / 6, 14);
  expect(upper).toBeCloseTo(4 / 5, 14);
  expect(viewPoint(used, "precision_recall").y).toBeCloseTo(0.075 / (0.075 + 0.36), 14);
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
});

test("the share of positives is the one that is set, else the test set’s own", () => {
  expect(prevalenceOf(picture)).toBe(4 / 9);
  expect(prevalenceOf(used)).toBe(0.1);
  expect(positiveName(picture)).toBe("ill");
  expect(positiveName(pictureOf())).toBe("class 1");
});

test("corner and callout have the numbers of the point", () => {
  expect(viewCorner(picture, "reliability")).toBe("");
  // As precision_recall.test.ts has it by hand.
  expect(viewCorner(picture, "precision_recall")).toBe(
    `Average precision ${(1 / 2 + (1 / 4) * (3 / 5) + (1 / 4) * (4 / 7)).toFixed(2)}`,
  );
  expect(viewPointText(picture, "precision_recall")).toBe(
    "threshold 0.50; precision 0.60, 0.33 to 0.80; recall 0.75, 0.50 to 1.00",
  );
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
