import { expect, test } from "vitest";
import { vertexHit } from "../../src/plot/hover.ts";
import { pictureOf } from "../picture.ts";

test("the callout tells of the nearest vertex", () => {
  const { evaluation, frame } = pictureOf();
  const curve = { x: evaluation.fpr, y: evaluation.tpr };
  expect(vertexHit(evaluation, frame, curve, 0.38, 0.7)).toMatchObject({
    fpr: 0.4,
    tpr: 0.75,
    title: "λ 0.50",
    rows: [
      { text: "TPR 0.75", limits: "0.50 to 1.00" },
      { text: "FPR 0.40", limits: "0.20 to 0.80" },
    ],
  });
  expect(vertexHit(evaluation, frame, curve, -1, -1).title).toBe("λ above 1");
});
