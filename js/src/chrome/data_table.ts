// Table of the plot's numbers, for those who cannot see it.

import { partitionPoint } from "../base/bisect.ts";
import { createChanges } from "../base/changes.ts";
import { html, setText } from "../base/dom.ts";
import { fixed, limitsText, percent, range, rate } from "../base/format.ts";
import { fillTable } from "../base/table.ts";
import { createTimer } from "../base/timer.ts";
import { type IdealCurve, idealLimits, idealMedian } from "../evaluation/ideal_curve.ts";
import type { Evaluation, Frame } from "../evaluation/types.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import { type DrawnComparator, limitsAt, sampledBy } from "../sync/comparators.ts";
import { averageOf, readAt } from "../sync/overview_numbers.ts";
import type { Component, Picture } from "../sync/view_model.ts";
import { viewOf } from "../views/views.ts";
import { VIEW_NAMES } from "../words/views.ts";

const REST_MS = 500;
const GRID = Array.from({ length: 21 }, (_, i) => i / 20);

export interface DataTable {
  caption: string;
  columns: string[];
  rows: string[][];
}

/** The curves in numbers, at even steps of the FPR: each is read at the smallest threshold that keeps to it. */
export function dataTable(picture: Picture): DataTable {
  const { shown, evaluation, frame } = picture;
  const level = percent(1 - frame.alpha);
  if (picture.view !== "roc") return viewTableOf(picture);
  if (shown === null) {
    const average = averageOf(picture);
    return {
      caption: `The averaged ROC curve in numbers, limits at ${level}`,
      columns: ["False positive rate", "Mean sensitivity", "Mean limits"],
      rows: GRID.map((fpr) => {
        const { tpr, tprLower, tprUpper } = readAt(average, fpr);
        return [rate(fpr), rate(tpr), range(tprLower, tprUpper)];
      }),
    };
  }
  const { ideal } = picture;
  if (ideal !== null && typeof ideal !== "string") return idealTableOf(evaluation, ideal);
  const sampled = picture.band === "sampling" ? sampledBy(picture) : undefined;
  if (sampled) return sampledTableOf(picture, sampled);
  return {
    caption: `The ROC curve in numbers, limits at ${level}`,
    columns: ["False positive rate", "Sensitivity", "Limits"],
    rows: GRID.map((fpr) => [rate(fpr), ...reading(evaluation, frame, fpr)]),
  };
}

/** The rows of a view at about as many vertices. */
function viewTableOf(picture: Picture): DataTable {
  const { columns, rows: all } = viewOf(picture).numbers(picture);
  const rows = all.filter((row) => Number.isFinite(row[0]));
  const every = Math.max(1, Math.ceil(rows.length / GRID.length));
  return {
    caption: `${VIEW_NAMES[picture.view]} in numbers, at ${percent(1 - picture.frame.alpha)}`,
    columns: columns.map((name) => name.replaceAll("_", " ")),
    rows: rows.filter((_, i) => i % every === 0).map((row) => row.map((value) => fixed(value, 3))),
  };
}

/** This classifier's curve beside an ideal model's. */
function idealTableOf(evaluation: Evaluation, ideal: IdealCurve): DataTable {
  return {
    caption: `The ROC curve and an ideal model’s in numbers, credible limits at ${percent(1 - ideal.alpha)}`,
    columns: ["False positive rate", "Sensitivity", "An ideal model’s: median", "Limits"],
    rows: GRID.map((fpr) => [
      rate(fpr),
      rate(evaluation.tpr[vertexAt(evaluation, fpr)]),
      rate(idealMedian(ideal, fpr)),
      range(...idealLimits(ideal, fpr)),
    ]),
  };
}

/** This classifier's curve, and where more test data would move it. */
function sampledTableOf({ evaluation }: Picture, sampled: DrawnComparator): DataTable {
  return {
    caption: `The ROC curve in numbers, with much more test data, limits at ${percent(1 - sampled.lines.alpha)}`,
    columns: ["False positive rate", "Sensitivity", "Limits"],
    rows: GRID.map((fpr) => [
      rate(fpr),
      rate(evaluation.tpr[vertexAt(evaluation, fpr)]),
      range(...limitsAt(sampled, fpr)),
    ]),
  };
}

const vertexAt = ({ fpr }: Evaluation, at: number) =>
  Math.max(partitionPoint(fpr.length, (k) => fpr[k] <= at) - 1, 0);

function reading(evaluation: Evaluation, frame: Frame, at: number): [string, string] {
  const { tpr } = evaluation;
  const i = vertexAt(evaluation, at);
  const { tprLower, tprUpper } = frame.limits;
  return [rate(tpr[i]), limitsText(tprLower[i], tprUpper[i], sidesOf(frame, 1))];
}

/** The plot for those who cannot see it. It follows when things have come to rest. */
export function createDataTable(signal: AbortSignal): Component {
  const caption = html("caption");
  const table = html("table", { "data-testid": "data-table" }, caption);
  const later = createTimer(signal);
  const isNews = createChanges();

  function fill(picture: Picture) {
    const { caption: title, columns, rows } = dataTable(picture);
    setText(caption, title);
    fillTable(table, [columns, ...rows]);
  }

  return {
    element: html("div", { class: "crw-hidden" }, table),
    draw(picture) {
      const { frames, shown, weights, view, band, page, prevalence, ideal } = picture;
      if (!isNews(frames, shown, weights, view, band, page.sampling, prevalence, ideal)) return;
      if (table.tHead) later(() => fill(picture), REST_MS);
      else fill(picture);
    },
  };
}
