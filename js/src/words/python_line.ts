// Writes a line of Python that makes the same picture.

import { isSameValue } from "../base/equal.ts";
import { type Evaluation, type Frame, LABELS, type Label } from "../evaluation/types.ts";
import { TRUTH } from "../shown/comparators.ts";
import type { Picture } from "../shown/picture.ts";
import { FIRST, type View } from "../wire/controls.ts";
import { isRecord } from "../wire/readers.ts";

/** If the data take more characters than this, the line leaves them out. */
const MOST_DATA = 10_000;

/** The line writes these controls in its own way. All others are written only if they were changed. */
const NAMED: string[] = ["alpha", "threshold", "band", "label", "weights", "guarantee", "horizon"];
const OTHERS = Object.keys(FIRST).filter((name) => !NAMED.includes(name)) as (keyof View)[];

/** The kinds of groups that Python's argument `kind` can be. */
const KINDS: Picture["group"]["kind"][] = ["classes", "classifiers", "populations", "samples"];

/**
 * Returns a line of Python that makes the same picture. The reader of a page without a kernel has no
 * evaluation. So the line contains the data if they are small, and otherwise says what to ask the page's
 * author for.
 */
export function pythonLine(picture: Picture): string {
  const { group, shown, wanted, band, weights, comparators } = picture;
  const isMapping = group.kind !== "single";
  const isOfHorizons = group.kind === "horizons";
  const evaluation = isMapping ? "evaluations" : "evaluation";
  // If a comparator was computed only for the band "sampling", `isLaid` is false: it is not drawn over
  // another band.
  const keys = comparators.items.filter(({ isLaid }) => isLaid).map(({ key }) => key);
  const others = keys.filter((key) => key !== TRUTH);
  const hasTruth = others.length < keys.length;
  const data = picture.source === "static" && !isMapping && !hasTruth ? dataOf(picture) : "";
  const keywords = [
    data === "" ? evaluation : "evaluation",
    `alpha=${wanted.alpha}`,
    `threshold=${floatOf(wanted.threshold)}`,
    `band=${literal(band)}`,
  ];
  // Python infers all kinds of groups but those in KINDS, so only these are written.
  if (KINDS.includes(group.kind)) keywords.push(`kind=${literal(group.kind)}`);
  if (group.title) keywords.push(`name=${literal(group.title)}`);
  if (isOfHorizons && shown !== null) keywords.push(`horizon=${literal(group.entries[shown].key)}`);
  else if (isMapping && shown !== null) keywords.push(`label=${literal(group.entries[shown].key)}`);
  if (isMapping && weights !== "size") keywords.push(`weights=${literal(weights)}`);
  const [{ words, others: promises }] = group.entries;
  // If the evaluation can have several guarantees, the line names the one that is shown, even if the user did
  // not choose it. Otherwise Python might start with another one.
  if (promises.length > 0) keywords.push(`guarantee=${literal(words.kind)}`);
  for (const name of OTHERS)
    if (!isSameValue(picture[name], FIRST[name])) keywords.push(`${name}=${literal(picture[name])}`);
  if (others.length > 0) keywords.push(`comparators=${literal(others)}`);
  if (hasTruth) keywords.push("truth=truth");
  const call = `ROCWidget(${keywords.join(", ")})`;
  if (data !== "")
    return `from conformal_roc_widget import ROCWidget, RocEvaluation; evaluation = ${data}; ${call}`;
  const unknown = [evaluation, ...(hasTruth ? ["truth"] : [])].join(" and ");
  const remark = picture.source === "static" ? askFor(picture, unknown) : `with your own ${unknown}`;
  return `from conformal_roc_widget import ROCWidget; ${call}  # ${remark}`;
}

/** Writes what to ask a page's author for: the evaluation, or the data that it was made from. */
function askFor({ group, frame }: Picture, unknown: string): string {
  const sources =
    frame.model === "recalibration"
      ? "the labels and scores of the calibration and the test points, for RocEvaluation.from_predictions"
      : `the fitted ConformalROC, X_test and y_test, for its ${METHODS[group.kind]}`;
  return `ask the author of this page for ${unknown}, or for ${sources}`;
}

const METHODS: Record<Picture["group"]["kind"], string> = {
  single: "evaluate",
  classes: "evaluate_all",
  classifiers: "evaluate",
  bands: "evaluate",
  populations: "evaluate_by",
  folds: "evaluate",
  samples: "evaluate",
  horizons: "evaluate_all",
};

/**
 * Returns Python code that makes the evaluation from its residuals and test points. Empty if these are too long, or do
 * not determine the evaluation.
 */
function dataOf({ evaluation, frame }: Picture): string {
  const { nTest, nRows, nCalibration, classes, residuals, rule, remade } = evaluation;
  // `remade` is true if `from_residuals` made the evaluation. For any other, the line would make an
  // evaluation with another guarantee and without notes.
  if (!remade) return "";
  const most = MOST_DATA / 4;
  const isLong = nRows[0] + nRows[1] + nCalibration[0] + nCalibration[1] > most;
  // If rows have weights, counts (`nTest`) do not determine the rows.
  if (isLong || nRows !== nTest || !isShifted(evaluation, frame)) return "";
  const names = classes.map((name) => (/^(-?\d+|True|False)$/.test(name) ? name : literal(name)));
  const known = [0, 1].map((label) => `${names[label]}: ${list(residuals[label].values)}`).join(", ");
  const labels = LABELS.map((label) => `[${names[label]}] * ${nTest[label]}`).join(" + ");
  const scores = list(LABELS.flatMap((label) => atPoints(evaluation, label, evaluation.thresholds)));
  const other = rule === "paper" ? "" : `, quantile_rule=${literal(rule)}`;
  const text = `RocEvaluation.from_residuals({${known}}, ${labels}, ${scores}${other})`;
  return text.length > MOST_DATA ? "" : text;
}

/** Whether all limits are the test points' own logits plus order statistics of the residuals on the page. */
function isShifted(evaluation: Evaluation, frame: Frame): boolean {
  const { words, residuals, centres, simplified, logits } = evaluation;
  if (words.kind !== "individual" || frame.orderStatistics === null || centres === null || simplified)
    return false;
  return LABELS.every((label) => {
    const { n, values } = residuals[label];
    const own = atPoints(evaluation, label, logits).reverse();
    const around = centres[label].values;
    return (
      n > 0 &&
      values.length === n &&
      own.length === around.length &&
      own.every((each, i) => isNear(each, around[i]))
    );
  });
}

const isNear = (a: number, b: number) => Math.abs(a - b) < 1e-9;

/** Returns a value for each test point of a label in descending order, from the values at the vertices. */
function atPoints({ falsePositives, truePositives }: Evaluation, label: Label, at: Float64Array): number[] {
  const counts = label === 1 ? truePositives : falsePositives;
  return [...at].flatMap((value, i) => Array(i === 0 ? 0 : counts[i] - counts[i - 1]).fill(value));
}

/**
 * Writes a number so that Python reads it as a float. An integer beyond 2^53 gets an exponent, because
 * JavaScript would write the digits of another integer.
 */
export const floatOf = (value: number) =>
  Number.isSafeInteger(value) || !Number.isInteger(value) ? String(value) : value.toExponential();

const list = (values: Iterable<number>) =>
  `[${Array.from(values, (value) => (Number.isFinite(value) ? String(value) : `float("${value}")`)).join(", ")}]`;

const WORDS = new Map<unknown, string>([
  [null, "None"],
  [true, "True"],
  [false, "False"],
]);

/** Writes a JSON value in Python's syntax. The escapes in a JSON string mean the same in Python. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (isRecord(value)) {
    const items = Object.entries(value).map(([name, item]) => `${literal(name)}: ${literal(item)}`);
    return `{${items.join(", ")}}`;
  }
  return WORDS.get(value) ?? JSON.stringify(value).replace(/[\u2028\u2029]/g, unicodeEscape);
}

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
