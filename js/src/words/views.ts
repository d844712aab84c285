// Texts of the views besides the ROC curve.

import { fixed, percent, range, rate, thresholdText } from "../base/format.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { ownPrevalence, precisionRecall } from "../evaluation/precision_recall.ts";
import type { Words } from "../evaluation/types.ts";
import { type ViewPoint, viewTable } from "../evaluation/view_curves.ts";
import type { Picture } from "../sync/view_model.ts";
import type { ViewKind } from "../wire/messages.ts";
import { className, modelOf } from "./one_evaluation.ts";

export type OtherView = Exclude<ViewKind, "roc">;
type Of<T> = Record<OtherView, T>;

/** The views in the order in which they are chosen. */
export const VIEW_NAMES: Record<ViewKind, string> = {
  roc: "ROC curve",
  precision_recall: "Precision-recall",
  reliability: "Reliability",
  net_benefit: "Net benefit",
};

export const AXES: Of<{ across: string; up: string }> = {
  precision_recall: { across: "Recall (sensitivity)", up: "Precision" },
  reliability: { across: "Score", up: "Share of positives" },
  net_benefit: { across: "Risk at which one is called", up: "Net benefit per case" },
};

export const prevalenceOf = ({ evaluation, prevalence }: Picture) => prevalence ?? ownPrevalence(evaluation);

export function viewPoint(picture: Picture, view: OtherView): ViewPoint {
  const prevalence = prevalenceOf(picture);
  return viewTable(view, prevalence).point(picture.evaluation, picture.frame, prevalence);
}

export const positiveName = ({ evaluation }: Picture) => className(1, evaluation.classes) || "positive";

/** Net benefit is small: its third digit is seen. */
export const benefit = (value: number) => fixed(value, 3);

/** Target, scope and guarantee, in Python's words. */
export function viewLegend({ frame }: Picture, view: OtherView): Words {
  const isJoint = isForEveryThreshold(frame);
  const { scope, guarantee } = frame;
  const recalibrates = modelOf(frame).endsWith("recalibration");
  const model = recalibrates ? "an ideal recalibration of this score" : "an ideal model";
  if (view === "reliability") {
    const level = percent(1 - frame.alpha);
    return {
      target: "P(y = 1 | score), the ideal recalibration of this score",
      scope: "every score at once",
      guarantee: `at least ${level} for every sample size, if a higher score never means a lower probability`,
    };
  }
  const none = "none (computed from both limits together)";
  if (view === "precision_recall") {
    return {
      target: `precision and recall of ${model}, cut at the same threshold, on this test set`,
      scope,
      guarantee: isJoint ? guarantee : `recall: ${guarantee}; precision: ${none}`,
    };
  }
  return {
    target: `net benefit of ${model}, cut at the same threshold, on these test points`,
    scope,
    guarantee: isJoint ? guarantee : `${none}; each label's interval: ${guarantee}`,
  };
}

/** The number that sums a view up, for its corner. */
export function viewCorner(picture: Picture, view: OtherView): string {
  const { evaluation, frame } = picture;
  if (view !== "precision_recall") return "";
  const { averagePrecision } = precisionRecall(evaluation, frame.limits, prevalenceOf(picture));
  return `Average precision ${rate(averagePrecision)}`;
}

export const BASELINES: Of<string> = {
  precision_recall: "base rate",
  reliability: "probability = score",
  net_benefit: "call all",
};

/** What the whisker at the operating point is of. */
export const RANGES: Of<string> = {
  precision_recall: "ideal precision",
  reliability: "true share",
  net_benefit: "ideal net benefit",
};

/** A number of the view. */
export const viewNumber = (view: OtherView) => (view === "net_benefit" ? benefit : rate);

export function viewPointText(picture: Picture, view: OtherView): string {
  const { y, lower, upper } = viewPoint(picture, view);
  const { threshold, point } = picture.frame;
  const text = viewNumber(view);
  const start = `threshold ${thresholdText(threshold)}; ${NOUNS[view]} ${text(y)}, ${text(lower)} to ${text(upper)}`;
  if (view !== "precision_recall") return start;
  return `${start}; recall ${rate(point.tpr)}, ${range(point.tprLower, point.tprUpper)}`;
}

const NOUNS: Of<string> = {
  precision_recall: "precision",
  reliability: "probability",
  net_benefit: "net benefit",
};

export const VIEW_COLUMNS: Of<string[]> = {
  precision_recall: ["threshold", "recall", "precision", "precision_lower", "precision_upper"],
  reliability: ["score", "isotonic", "lower", "upper"],
  net_benefit: ["threshold", "risk", "net_benefit", "net_benefit_lower", "net_benefit_upper"],
};

/** The numbers of a view, a row a vertex. */
export function viewRows(picture: Picture, view: OtherView): number[][] {
  const { evaluation, frame } = picture;
  const prevalence = prevalenceOf(picture);
  const table = viewTable(view, prevalence);
  return Array.from(evaluation.thresholds, (threshold, i) => {
    const { limits } = frame;
    const point = {
      ...frame.point,
      tpr: evaluation.tpr[i],
      fpr: evaluation.fpr[i],
      tprLower: limits.tprLower[i],
      tprUpper: limits.tprUpper[i],
      fprLower: limits.fprLower[i],
      fprUpper: limits.fprUpper[i],
    };
    const { x, y, lower, upper } = table.point(evaluation, { ...frame, threshold, point }, prevalence);
    return view === "reliability" ? [x, y, lower, upper] : [threshold, x, y, lower, upper];
  });
}
