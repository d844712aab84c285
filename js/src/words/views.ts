// Texts of the views besides the ROC curve.

import { count, fixed, percent, range, rate, thresholdText } from "../base/format.ts";
import { reliability } from "../evaluation/calibration_band.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { riskOf, treatAll } from "../evaluation/net_benefit.ts";
import {
  ownPrevalence,
  precisionAt,
  precisionLimits,
  precisionRecall,
} from "../evaluation/precision_recall.ts";
import type { Words } from "../evaluation/types.ts";
import { type ViewPoint, viewTable } from "../evaluation/view_curves.ts";
import type { Picture } from "../sync/view_model.ts";
import type { ViewKind } from "../wire/messages.ts";
import { className, levelText, modelOf } from "./one_evaluation.ts";
import { CHANCE_KEY, CLASSIFIER_KEY, type KeyEntry } from "./plot_key.ts";
import { plain, type Run, strong } from "./runs.ts";

export type OtherView = Exclude<ViewKind, "roc">;
type Of<T> = Record<OtherView, T>;

/** The views in the order in which they are chosen. */
export const VIEW_NAMES: Record<ViewKind, string> = {
  roc: "ROC",
  precision_recall: "Precision-recall",
  reliability: "Reliability",
  net_benefit: "Net benefit",
};

const TITLES: Of<string> = {
  precision_recall: "Precision and recall",
  reliability: "Reliability",
  net_benefit: "Net benefit",
};

export const AXES: Of<{ across: string; up: string }> = {
  precision_recall: { across: "Recall (sensitivity)", up: "Precision (positive predictive value)" },
  reliability: { across: "Score (bars: test points)", up: "Probability of the positive class" },
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

export const viewTitle = (view: OtherView) => TITLES[view];

/** All of a view in words, true for what is drawn. */
export function viewSentence(picture: Picture, view: OtherView): Run[] {
  return { precision_recall: precisionWords, reliability: reliabilityWords, net_benefit: benefitWords }[view](
    picture,
  );
}

const shareText = (share: number) => percent(Number(share.toFixed(3)));
const startOf = (model: string) => `A${model.slice(1)}`;
/** How surely a range from both limits holds. */
const asAllowed = ({ frame }: Picture) =>
  isForEveryThreshold(frame)
    ? ` (${levelText(frame)}).`
    : `, as far as both ${percent(1 - frame.alpha)} intervals allow.`;
const total = ({ evaluation: { nTest } }: Picture) => `${count(nTest[0] + nTest[1])} test points`;

function precisionWords(picture: Picture): Run[] {
  const { frame, prevalence } = picture;
  const { tp, fp } = frame.point;
  const name = positiveName(picture);
  const at = `At threshold ${thresholdText(frame.threshold)}, this classifier calls `;
  if (tp + fp === 0) return [plain(`${at}none of these ${total(picture)} ${name}, and has no precision.`)];
  const { y, lower, upper } = viewPoint(picture, "precision_recall");
  const where = prevalence === null ? "" : ` where ${shareText(prevalence)} are ${name}`;
  return [
    plain(`${at}${count(tp + fp)} of these ${total(picture)} ${name}, and ${count(tp)} of them are: `),
    plain("a precision of "),
    strong(rate(y)),
    plain(
      `${where}. ${startOf(modelOf(frame))}, cut at the same threshold on the same points, could have a precision `,
    ),
    strong(`from ${rate(lower)} to ${rate(upper)}`),
    plain(asAllowed(picture)),
  ];
}

function reliabilityWords(picture: Picture): Run[] {
  const { evaluation, frame } = picture;
  const { y, lower, upper } = viewPoint(picture, "reliability");
  const level = percent(1 - frame.alpha);
  const start = [
    plain(
      `At score ${thresholdText(frame.threshold)}, isotonic regression on these ${total(picture)} gives `,
    ),
    plain(`${positiveName(picture)} a probability of `),
    strong(rate(y)),
  ];
  if (reliability(evaluation, frame.alpha).refuted) {
    return [
      ...start,
      plain(`. At ${level} the labels refute that a higher score never means a lower probability: `),
      strong("the band promises nothing"),
      plain("."),
    ];
  }
  return [
    ...start,
    plain(". The band holds the probability at every score at once, at this one "),
    strong(`between ${rate(lower)} and ${rate(upper)}`),
    plain(`, with ${level} confidence, if a higher score never means a lower probability.`),
  ];
}

/** Of the ROC curve, where another share is positive than on the test points: how often a call is right. */
export function useWords(picture: Picture): Run[] {
  const { frame, prevalence } = picture;
  if (prevalence === null) return [];
  const { tpr, fpr } = frame.point;
  const where = ` Where ${shareText(prevalence)} are ${positiveName(picture)}, `;
  if (tpr + fpr === 0) return [plain(`${where}nobody is called.`)];
  const whole = (share: number) => fixed(100 * share, 0);
  const [lower, upper] = precisionLimits(frame.point, prevalence);
  return [
    plain(`${where}a call is right in `),
    strong(`${whole(precisionAt(tpr, fpr, prevalence))} %`),
    plain(` of cases (range ${whole(lower)} to ${whole(upper)} %).`),
  ];
}

function benefitWords(picture: Picture): Run[] {
  const { evaluation, frame } = picture;
  const prevalence = prevalenceOf(picture);
  const { y, lower, upper } = viewPoint(picture, "net_benefit");
  const risk = riskOf(frame.threshold, ownPrevalence(evaluation), prevalence);
  if (frame.threshold >= 1)
    return [plain("At threshold 1 a false alarm weighs more than any call can gain.")];
  return [
    plain(`At threshold ${thresholdText(frame.threshold)}, a risk of ${rate(risk)} where `),
    plain(`${shareText(prevalence)} are ${positiveName(picture)}, calling by this classifier `),
    plain("has a net benefit of "),
    strong(benefit(y)),
    plain(
      `; calling all has ${benefit(treatAll(risk, prevalence))}, calling none 0. ${startOf(modelOf(frame))}’s, at the `,
    ),
    plain("same threshold on the same points, could lie "),
    strong(`between ${benefit(lower)} and ${benefit(upper)}`),
    plain(asAllowed(picture)),
  ];
}

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
  if (view === "reliability") return "";
  if (view === "net_benefit") return `Net benefit ${benefit(viewPoint(picture, view).y)}`;
  const { averagePrecision } = precisionRecall(evaluation, frame.limits, prevalenceOf(picture));
  return `Average precision ${rate(averagePrecision)}`;
}

/** The same in few letters, of any view. */
export function smallNumber(picture: Picture, view: ViewKind): string {
  if (view === "roc") return `AUC ${rate(picture.evaluation.auc)}`;
  return viewCorner(picture, view).replace("Average precision", "AP").replace("Net benefit ", "");
}

/** The axis across, in a word. */
export const SMALL_AXES: Record<ViewKind, string> = {
  roc: "FPR",
  precision_recall: "Recall",
  reliability: "Score",
  net_benefit: "Risk cut",
};

export const BASELINES: Of<string> = {
  precision_recall: "base rate",
  reliability: "probability = score",
  net_benefit: "call all",
};

export const baselineText = (picture: Picture, view: OtherView): string =>
  view === "precision_recall" ? `${BASELINES[view]} ${prevalenceOf(picture).toFixed(2)}` : BASELINES[view];

/** The names of the curve, its range and its base line, in few words. */
export function viewKey(picture: Picture, view: OtherView): KeyEntry[] {
  const [[{ text }]] = rangeLines(picture, view);
  return [
    CLASSIFIER_KEY,
    { mark: "band", tone: "muted", text },
    { ...CHANCE_KEY, text: baselineText(picture, view) },
  ];
}

/** Names the filled band. */
export function rangeLines({ frame }: Picture, view: OtherView): Run[][] {
  if (view === "reliability") {
    return [
      [strong(`${percent(1 - frame.alpha)} calibration band`)],
      [plain("every score at once", "muted")],
    ];
  }
  const noun = view === "precision_recall" ? "precision" : "net benefit";
  return [
    [strong(`range of ${modelOf(frame)}’s ${noun}`)],
    ...(isForEveryThreshold(frame)
      ? [[plain("at every threshold at once", "muted")]]
      : [
          [plain("at the same threshold; computed from", "muted")],
          [plain("both limits together: no guarantee", "muted")],
        ]),
  ];
}

/** Beside the operating point. */
export function calloutLines(picture: Picture, view: OtherView): Run[][] {
  const { frame } = picture;
  const { y, lower, upper } = viewPoint(picture, view);
  const { tpr, tprLower, tprUpper } = frame.point;
  const head = [strong(`λ ${thresholdText(frame.threshold)}`)];
  if (view === "net_benefit")
    return [head, [strong(benefit(y)), plain(` ${benefit(lower)} to ${benefit(upper)}`, "muted")]];
  const noun = view === "reliability" ? "probability" : "precision";
  const lines = [head, [strong(`${noun} ${rate(y)}`), plain(` ${range(lower, upper)}`, "muted")]];
  if (view === "reliability") return lines;
  return [
    ...lines,
    [strong(`recall ${rate(tpr)}`, "label1"), plain(` ${range(tprLower, tprUpper)}`, "label1")],
  ];
}

export const viewPointText = (picture: Picture, view: OtherView): string =>
  calloutLines(picture, view)
    .map((line) => line.map(({ text }) => text).join(""))
    .join("; ")
    .replace("λ", "threshold");

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
