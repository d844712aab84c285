// Shows a table of the plot's numbers, for screen readers.

import { partitionPoint } from "../base/bisect.ts";
import { createChanges } from "../base/changes.ts";
import { html as element } from "../base/dom.ts";
import { capital, fixed, limitsText, percent, range, rate } from "../base/format.ts";
import { tableRows } from "../base/table.ts";
import { html, render, unbroken } from "../base/template.ts";
import { createTimer } from "../base/timer.ts";
import { words } from "../base/words.ts";
import { idealLimits, idealMedian } from "../evaluation/ideal_curve.ts";
import { sidesOf } from "../evaluation/vacuous.ts";
import { limitsAt, sampledBy } from "../shown/comparators.ts";
import { averageOf, readAt } from "../shown/overview_numbers.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { idealCurveOf } from "../shown/picture.ts";
import { viewOf } from "../views/views.ts";
import { VIEW_NAMES } from "../wire/controls.ts";

const REST_MS = 500;
const GRID = Array.from({ length: 21 }, (_, i) => i / 20);

/**
 * Returns the numbers of the plot as a table. If the horizontal axis is the false positive rate, there is one row for
 * each of several evenly spaced rates.
 */
export function dataTable(picture: Picture) {
  if (picture.view !== "roc") return viewTableOf(picture);
  return picture.shown === null ? averageTableOf(picture) : rocTableOf(picture);
}

const levelOf = (alpha: number) => `limits at ${percent(1 - alpha)}`;

function averageTableOf(picture: Picture) {
  const average = averageOf(picture);
  return {
    caption: `The averaged ROC curve in numbers, ${levelOf(picture.frame.alpha)}`,
    columns: [capital(words("rate.fpr")), "Mean sensitivity", "Mean limits"],
    rows: GRID.map((fpr) => {
      const { tpr, tprLower, tprUpper } = readAt(average, fpr);
      return [rate(fpr), rate(tpr), range(tprLower, tprUpper)];
    }),
  };
}

/**
 * Returns the curve, and the limits of the chosen band, at evenly spaced false positive rates. Each row belongs to the
 * smallest threshold whose false positive rate does not exceed the row's.
 */
function rocTableOf(picture: Picture) {
  const { evaluation, frame } = picture;
  const { fpr: rates, tpr } = evaluation;
  const table = (caption: string, columns: string[], cells: (fpr: number, vertex: number) => string[]) => ({
    caption: `The ROC curve ${caption}`,
    columns: [capital(words("rate.fpr")), "Sensitivity", ...columns, "Limits"],
    rows: GRID.map((fpr) => {
      const vertex = Math.max(partitionPoint(rates.length, (k) => rates[k] <= fpr) - 1, 0);
      return [rate(fpr), rate(tpr[vertex]), ...cells(fpr, vertex)];
    }),
  });
  const ideal = idealCurveOf(picture);
  if (ideal) {
    const caption = `and an ideal model’s in numbers, credible ${levelOf(ideal.alpha)}`;
    return table(caption, ["An ideal model’s: median"], (fpr) => [
      ...[rate(idealMedian(ideal, fpr)), range(...idealLimits(ideal, fpr))],
    ]);
  }
  const sampled = sampledBy(picture);
  if (sampled) {
    const caption = `in numbers, with much more test data, ${levelOf(sampled.lines.alpha)}`;
    return table(caption, [], (fpr) => [range(...limitsAt(sampled, fpr))]);
  }
  const { tprLower, tprUpper } = frame.limits;
  return table(`in numbers, ${levelOf(frame.alpha)}`, [], (_, i) => [
    limitsText(tprLower[i], tprUpper[i], sidesOf(frame, 1)),
  ]);
}

/**
 * Returns the table of a view. If the view has many vertices, every k-th has a row, so that there are about
 * as many rows as rates in `GRID`.
 */
function viewTableOf(picture: Picture) {
  const { columns, rows: all } = viewOf(picture).numbers(picture);
  const rows = all.filter((row) => Number.isFinite(row[0]));
  const every = Math.max(1, Math.ceil(rows.length / GRID.length));
  return {
    caption: `${VIEW_NAMES[picture.view]} in numbers, at ${percent(1 - picture.frame.alpha)}`,
    columns: columns.map((name) => name.replaceAll("_", " ")),
    rows: rows.filter((_, i) => i % every === 0).map((row) => row.map((value) => fixed(value, 3))),
  };
}

/** Makes the table of the plot's numbers for screen readers. It is updated once nothing moves any more. */
export function createDataTable(signal: AbortSignal): Component {
  const hidden = element("div", { class: "crw-hidden" });
  const later = createTimer(signal);
  const isNews = createChanges();

  function fill(picture: Picture) {
    const { caption, columns, rows } = dataTable(picture);
    const table = html`<table data-testid="data-table">
      <caption>${unbroken(caption)}</caption>${tableRows([columns, ...rows])}
    </table>`;
    render(table, hidden);
  }

  return {
    element: hidden,
    draw(picture) {
      const { frames, shown, weights, view, band, page, prevalence, ideal, looks } = picture;
      if (!isNews(frames, shown, weights, view, band, page.sampling, prevalence, ideal, looks)) return;
      if (hidden.firstElementChild) later(() => fill(picture), REST_MS);
      else fill(picture);
    },
  };
}
