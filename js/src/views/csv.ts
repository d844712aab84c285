// Makes the columns of a CSV file.

import { count, counted } from "../base/format.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import type { Label } from "../evaluation/types.ts";
import { sampledBy } from "../shown/comparators.ts";
import { isUnlimited } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { idealCurveOf } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import { METHODS } from "../words/methods.ts";
import { className, confidence } from "../words/one_evaluation.ts";
import { rowsIn } from "../words/several_evaluations.ts";
import { legendOf, viewOf } from "./views.ts";

export type Fact = readonly [name: string, value: string | number];

/** Returns facts on how the numbers were made, for readers who have only the file. */
export function factsOf(picture: Picture): Fact[] {
  const { group, shown, frame, wanted, band, weights } = picture;
  const isOverview = shown === null;
  const evaluations = isOverview ? group.entries : [picture.evaluation];
  const facts: Fact[] = [
    ["alpha", frame.alpha],
    ["threshold", picture.waiting ? frame.threshold : wanted.threshold],
  ];
  if (isOverview) facts.push(["weights", weights]);
  if (!isOverview) {
    const { fpr, tpr } = operatingPointAt(picture.evaluation, frame, wanted.threshold);
    facts.push(
      ["view", picture.view],
      ["band", band],
      ["fpr at the threshold", fpr],
      ["tpr at the threshold", tpr],
    );
  }
  if (isAnyLook(picture)) facts.push(["looks", picture.looks]);
  if (picture.prevalence !== null) facts.push(["prevalence", picture.prevalence]);
  for (const evaluation of evaluations) {
    const prefix = group.kind === "single" ? "" : `${evaluation.name}: `;
    if (group.kind !== "single") facts.push([`${prefix}label`, JSON.stringify(evaluation.key)]);
    for (const label of [1, 0] as const) {
      facts.push([`${prefix}n, label ${label} (${evaluation.classes[label]})`, evaluation.nRows[label]]);
      facts.push([`${prefix}n calibration, label ${label}`, evaluation.nCalibration[label]]);
    }
  }
  const ideal = idealCurveOf(picture);
  const { target, scope, guarantee } = legendOf(picture);
  if (ideal) {
    facts.push(
      ["method", "ideal model’s own curve, credible band from posterior draws, conformal_roc_widget"],
      ["auc of an ideal model", ideal.auc.join(" to ")],
      ["gain left", ideal.gain.join(" to ")],
    );
  } else if (!isUnlimited(picture)) {
    facts.push(["method", `${methodOf(picture)}, conformal_roc_widget`]);
  }
  return [...facts, ["target", target], ["scope", scope], ["guarantee", guarantee]];
}

/** Returns the name of the method of the drawn limits. */
function methodOf(picture: Picture): string {
  if (picture.evaluation.unlabelled) return METHODS.unlabelled.text;
  if (!isSampled(picture)) return "conformal band (Zheng et al.)";
  if (picture.view === "roc") return sampledBy(picture)?.item.name ?? "Clopper-Pearson";
  if (picture.view === "net_benefit") return "Zou-Donner";
  return picture.evaluation.weighted ? "Korn-Graubard" : "Clopper-Pearson";
}

/**
 * Returns the text below a picture's title and the text below its plot: the points, the confidence, and the
 * model that the limits are for.
 */
export function captionOf(picture: Picture): { subtitle: string; foot: string } {
  const { group, shown, frame, evaluation } = picture;
  const { nRows, classes } = evaluation;
  const n = rowsIn(shown === null && group.folds ? group.entries : [evaluation]);
  const { target } = legendOf(picture);
  const of = (label: Label) => `${count(nRows[label])} ${className(label, classes)}`;
  const what = evaluation.unlabelled ? "rows without labels" : "test points";
  const as = evaluation.unlabelled ? "expected " : "";
  const points = shown === null ? "" : ` (${as}${of(1)}, the positive class, and ${of(0)})`;
  return {
    subtitle: `n = ${counted(n, what)}${points}${isUnlimited(picture) ? "" : `; ${confidence(frame.alpha)}`}`,
    foot: target && `Target: ${target}`,
  };
}

export function fileName({ group, shown, frame }: Picture, extension: string): string {
  const name = group.kind === "single" || shown === null ? "" : group.entries[shown].name;
  const safe = name
    .replace(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return `roc-${safe ? `${safe}-` : ""}alpha-${frame.alpha}.${extension}`;
}

/** Returns the numbers of the view with all digits, one row for each vertex. Comment lines say how they were made. */
export function csvText(picture: Picture): string {
  const comments = factsOf(picture).map(([name, value]) => `# ${oneLine(`${name}=${value}`)}`);
  const { columns, rows } = viewOf(picture).numbers(picture);
  return lines([...comments, columns.join(), ...rows.map((row) => row.map(csvNumber).join())]);
}

function csvNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
}

const lines = (texts: string[]) => `${texts.join("\n")}\n`;
/** Returns the text in one line that a spreadsheet reads as text, and not as a formula. */
const oneLine = (text: string) =>
  text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replace(/([,;|]\s*)(?=["=+\-@＝＋－＠])/gu, "$1'");

/** Returns the text with a replacement character in place of each character that XML forbids. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the ones to replace
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd");
}
