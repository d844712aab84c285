// The texts of a downloaded file.

import { count } from "../base/format.ts";
import type { Evaluation, Frame, Label } from "../evaluation/types.ts";
import { sampledBy } from "../sync/comparators.ts";
import { averageOf } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { idealWords } from "./ideal.ts";
import { className, confidence } from "./one_evaluation.ts";
import { legendOf } from "./promise.ts";
import { VIEW_COLUMNS, viewRows } from "./views.ts";

export type Fact = readonly [name: string, value: string | number];

/** How the numbers came about, for whoever meets the file alone. */
export function factsOf(picture: Picture): Fact[] {
  const { group, shown, frame, wanted, band, weights } = picture;
  const isOverview = shown === null;
  const evaluations = isOverview ? group.entries : [picture.evaluation];
  const facts: Fact[] = [
    ["alpha", frame.alpha],
    ["threshold", picture.waiting ? frame.threshold : wanted.threshold],
  ];
  if (isOverview) facts.push(["weights", weights]);
  if (!isOverview) facts.push(["view", picture.view], ["band", band]);
  if (picture.prevalence !== null) facts.push(["prevalence", picture.prevalence]);
  for (const evaluation of evaluations) {
    const prefix = group.kind === "single" ? "" : `${evaluation.name}: `;
    if (group.kind !== "single") facts.push([`${prefix}label`, JSON.stringify(evaluation.key)]);
    for (const label of [1, 0] as const) {
      facts.push([`${prefix}n, label ${label} (${evaluation.classes[label]})`, evaluation.nTest[label]]);
      facts.push([`${prefix}n calibration, label ${label}`, evaluation.nCalibration[label]]);
    }
  }
  const { ideal } = picture;
  const sampled = picture.band === "sampling" ? sampledBy(picture) : undefined;
  if (ideal !== null && typeof ideal !== "string") {
    const { target, scope, guarantee } = idealWords(ideal);
    return [
      ...facts,
      ["method", "ideal model’s own curve, credible band from posterior draws, conformal_roc_widget"],
      ["auc of an ideal model", ideal.auc.join(" to ")],
      ["gain left", ideal.gain.join(" to ")],
      ["target", target],
      ["scope", scope],
      ["guarantee", guarantee],
    ];
  }
  const { target, scope, guarantee } = legendOf(picture);
  return [
    ...facts,
    ["method", `${sampled?.item.name ?? "conformal band (Zheng et al.)"}, conformal_roc_widget`],
    ["target", target],
    ["scope", scope],
    ["guarantee", guarantee],
  ];
}

/** Below the title of a picture and below its plot: the points, the level, and whose limits they are. */
export function captionOf(picture: Picture): { subtitle: string; foot: string } {
  const { shown, frame, evaluation } = picture;
  const { nTest, classes } = evaluation;
  const { target } = legendOf(picture);
  const of = (label: Label) => `${count(nTest[label])} ${className(label, classes)}`;
  const points = shown === null ? "" : ` (${of(1)}, the positive class, and ${of(0)})`;
  return {
    subtitle: `n = ${count(nTest[0] + nTest[1])} test points${points}; ${confidence(frame.alpha)}`,
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

const COLUMNS = ["threshold", "fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"];

/** The numbers of the view, a row a vertex and in full; comments say how they came about. */
export function csvText(picture: Picture): string {
  const { shown, evaluation, frame } = picture;
  const comments = factsOf(picture).map(([name, value]) => `# ${oneLine(`${name}=${value}`)}`);
  if (picture.view !== "roc") {
    const rows = viewRows(picture, picture.view).map((row) => row.map(csvNumber).join());
    return lines([...comments, VIEW_COLUMNS[picture.view].join(), ...rows]);
  }
  const { ideal } = picture;
  if (ideal !== null && typeof ideal !== "string") {
    const columns = [ideal.table.fpr, ideal.median.y, ideal.lower.y, ideal.upper.y];
    const rows = Array.from(columns[0], (_, i) => columns.map((column) => csvNumber(column[i])).join());
    return lines([...comments, "fpr,tpr_median,tpr_lower,tpr_upper", ...rows]);
  }
  const sampled = picture.band === "sampling" ? sampledBy(picture) : undefined;
  if (sampled) {
    const columns = [sampled.item.fpr, sampled.lines.lower, sampled.lines.upper];
    const rows = Array.from(columns[0], (_, i) => columns.map((column) => csvNumber(column[i])).join());
    return lines([...comments, "fpr,tpr_lower,tpr_upper", ...rows]);
  }
  if (shown !== null) return lines([...comments, COLUMNS.join(), ...rowsOf(evaluation, frame)]);
  const { fpr, tpr, tprLower, tprUpper } = averageOf(picture);
  const rows = Array.from(fpr, (x, i) => [x, tpr[i], tprLower[i], tprUpper[i]].map(csvNumber).join());
  return lines([...comments, "fpr,tpr,tpr_lower,tpr_upper", ...rows]);
}

function rowsOf({ thresholds, fpr, tpr }: Evaluation, { limits }: Frame): string[] {
  const columns = [thresholds, fpr, tpr, limits.fprLower, limits.fprUpper, limits.tprLower, limits.tprUpper];
  return Array.from(thresholds, (_, i) => columns.map((column) => csvNumber(column[i])).join());
}

function csvNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
}

const lines = (texts: string[]) => `${texts.join("\n")}\n`;
const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");

/** Characters that no XML file may hold, in the place of which stands the sign for them. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd");
}
