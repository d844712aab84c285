import { setAttributes, setVisible, svg } from "../base/dom.ts";
import { ownPrevalence } from "../evaluation/precision_recall.ts";
import { leastCost } from "../evaluation/use_metrics.ts";
import type { Picture } from "../sync/view_model.ts";
import { type Square, toX, toY } from "./geometry.ts";

const HALF = 6;

/** Where a cost is set: the line through the operating point on which the cost is the same, and the point of least cost. */
export function createSameCost() {
  const line = svg("path", { class: "crw-same-cost", "data-testid": "same-cost" });
  const diamond = svg("path", { class: "crw-least-cost", "data-testid": "least-cost" });
  return {
    line,
    diamond,
    draw({ evaluation, frame, cost, prevalence }: Picture, square: Square) {
      for (const part of [line, diamond]) setVisible(part, cost !== null);
      if (cost === null) return;
      const share = prevalence ?? ownPrevalence(evaluation);
      const slope = (1 - share) / (share * cost);
      const { fpr, tpr } = frame.point;
      const [start, stop] = [0, 1].map((x) => `${toX(square, x)} ${toY(square, tpr + slope * (x - fpr))}`);
      setAttributes(line, { d: `M${start}L${stop}` });
      const { vertex } = leastCost(evaluation, share, cost);
      const [x, y] = [toX(square, evaluation.fpr[vertex]), toY(square, evaluation.tpr[vertex])];
      setAttributes(diamond, {
        d: `M${x} ${y - HALF}L${x + HALF} ${y}L${x} ${y + HALF}L${x - HALF} ${y}Z`,
      });
    },
  };
}
