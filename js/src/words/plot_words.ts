// The words on a plot and above it: its key, the call-out at the operating point, the number in the corner.

import { limitsText, range, rate, thresholdText } from "../base/format.ts";
import { idealLimits } from "../evaluation/ideal_curve.ts";
import { LABELS, type Label } from "../evaluation/types.ts";
import { showsArc } from "../sync/arc.ts";
import { laidComparators, limitsAt, sampledBy } from "../sync/comparators.ts";
import { averageAuc, readingOf } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { labelsOf, modelOf, nounOf, rateOf } from "./one_evaluation.ts";
import { comparatorTone, plain, type Run, strong, TONES, type Tone } from "./runs.ts";
import { BASELINES, prevalenceOf, RANGES, viewCorner, viewNumber, viewPoint } from "./views.ts";

/** What an entry looks like on the plot; a comparator's line has the look of its tone. */
export type KeyMark = "curve" | "thin" | "band" | "edges" | "arc" | "chance";

export interface KeyEntry {
  mark: KeyMark;
  tone: Tone;
  text: string;
  /** Where it can be taken off and put on the plot: its name, and whether it is on. */
  name?: string;
  isOn?: boolean;
}

const CLASSIFIER: KeyEntry = { mark: "curve", tone: "ink", text: "classifier" };
const CHANCE: KeyEntry = { mark: "chance", tone: "muted", text: "chance" };

/** The key of the plot; a band with a switch is drawn where it is on. */
export function keyOf(picture: Picture): KeyEntry[] {
  const { band, view, evaluation, page } = picture;
  if (picture.shown === null) {
    return [
      { ...CLASSIFIER, text: picture.group.folds ? "pooled scores" : "mean of the classes" },
      { mark: "thin", tone: "muted", text: picture.group.folds ? "a fold" : "a class" },
      ...(picture.group.folds ? [] : [{ mark: "band", tone: "label1", text: "limits, averaged" } as const]),
      CHANCE,
    ];
  }
  if (view !== "roc") {
    const share = view === "precision_recall" ? ` ${rate(prevalenceOf(picture))}` : "";
    return [
      CLASSIFIER,
      { mark: "band", tone: "ink", text: RANGES[view] },
      { ...CHANCE, text: BASELINES[view] + share },
    ];
  }
  if (band === "ideal")
    return [CLASSIFIER, { mark: "band", tone: "label1", text: "ideal model’s own curve" }, CHANCE];
  if (band === "sampling") {
    const tone = comparatorTone(sampledBy(picture)?.item.key ?? "bootstrap");
    return [CLASSIFIER, { mark: "band", tone, text: "this classifier, more test data" }, CHANCE];
  }
  const isArc = showsArc(picture);
  const rates = LABELS.map((label): KeyEntry => {
    const isOn = !isArc && labelsOf(band).includes(label);
    return { mark: "band", tone: TONES[label], text: `ideal ${nounOf(label)}`, name: nounOf(label), isOn };
  });
  const arc: KeyEntry = { mark: "arc", tone: "ink", text: "recalibrated", name: "arc", isOn: isArc };
  const others = laidComparators(picture).map(({ item }): KeyEntry => {
    const isOn = !page.hidden.includes(item.key);
    return { mark: "edges", tone: comparatorTone(item.key), text: item.name, name: item.key, isOn };
  });
  return [CLASSIFIER, ...(evaluation.simultaneous ? [arc] : []), ...rates, ...others, CHANCE];
}

/** The threshold, and a line for each band that is drawn. */
export function calloutOf(picture: Picture): Run[][] {
  const { frame, view, band, ideal } = picture;
  const head = [strong(`threshold ${thresholdText(frame.threshold)}`)];
  if (picture.shown === null) {
    const { tprLower, tprUpper } = readingOf(picture);
    return [head, [plain(`averaged limits ${range(tprLower, tprUpper)}`, "label1")]];
  }
  if (view !== "roc") {
    const { lower, upper } = viewPoint(picture, view);
    const text = viewNumber(view);
    return [head, [plain(`${RANGES[view]} ${text(lower)} to ${text(upper)}`)]];
  }
  if (band === "ideal") {
    if (ideal === null || typeof ideal === "string") return [head];
    return [head, [plain(`its own curve ${range(...idealLimits(ideal, frame.point.fpr))}`, "label1")]];
  }
  if (band === "sampling") {
    const sampled = sampledBy(picture);
    if (!sampled) return [head];
    const limits = range(...limitsAt(sampled, frame.point.fpr));
    return [head, [plain(`with more data ${limits}`, comparatorTone(sampled.item.key))]];
  }
  return [head, ...drawnLabels(picture).map((label) => [limitsLine(picture, label)])];
}

/** The labels whose limits are drawn, as a band or along the arc. */
export const drawnLabels = (picture: Picture): readonly Label[] =>
  picture.band === "ideal" || picture.band === "sampling"
    ? []
    : showsArc(picture)
      ? LABELS
      : labelsOf(picture.band);

function limitsLine({ frame }: Picture, label: Label): Run {
  const { noun, lower, upper, sides, tone } = rateOf(label, frame);
  const missing = sides[0] === sides[1] ? "" : `, no ${sides[0] ? "upper" : "lower"} limit`;
  const ideal = modelOf(frame).replace(/^an | recalibration| model/g, "");
  return plain(`${ideal} ${noun} ${limitsText(lower, upper, sides)}${missing}`, tone);
}

export function cornerOf(picture: Picture): string {
  if (picture.group.folds && picture.shown === null) return `AUC ${rate(picture.group.folds.auc)}`;
  if (picture.shown === null) return `mean AUC ${rate(averageAuc(picture).auc)}`;
  if (picture.view !== "roc") return viewCorner(picture, picture.view);
  return `AUC ${rate(picture.evaluation.auc)}`;
}
