// Overview: all classes, folds or populations beside each other.

import { createChanges } from "../base/changes.ts";
import { decoration, html, setText, setVisible, svg, uniqueId } from "../base/dom.ts";
import { areaText, count, limitsText, percent, rate, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { createSegments } from "../base/segments.ts";
import { columnHead, rowHead } from "../base/table.ts";
import type { Width } from "../base/width.ts";
import { createMultiple, type Multiple } from "../draw/small.ts";
import { areaLimits } from "../evaluation/sampled_area.ts";
import { type Evaluation, type Group, WEIGHTS } from "../evaluation/types.ts";
import { aucSides, averageAuc, averageOf } from "../shown/overview_numbers.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { BARE } from "../views/bare.ts";
import { aloneOf } from "../views/overview.ts";
import { ROC, showsConformal } from "../views/roc.ts";
import { entryName } from "../words/several_evaluations.ts";
import { isOverview } from "./panel.ts";

/** Each class, fold or population small; and all of them as a table, where no other has them. */
export function createOverview(controller: Controller, signal: AbortSignal): Component {
  const heading = html("h3", { class: "crw-strong crw-unbroken", id: uniqueId("crw-each") });
  const weightsTitle = html("span", { class: "crw-text-muted", id: uniqueId("crw-weights") }, "Weights");
  const weights = createSegments(
    weightsTitle.id,
    [
      { text: "By size", value: WEIGHTS[0] },
      { text: "Uniform", value: WEIGHTS[1] },
    ],
    (i) => controller.choose({ weights: WEIGHTS[i] }),
    signal,
  );
  const weighing = html("div", { class: "crw-weights crw-row crw-apart" }, weightsTitle, weights.element);
  const multiples = html("div", { class: "crw-multiples" });
  const table = html("table", { class: "crw-classes", "aria-labelledby": heading.id });
  const isNews = createChanges();
  let small: Multiple[] = [];
  const element = html(
    "section",
    { class: "crw-overview" },
    html("div", { class: "crw-overview-head crw-row crw-apart" }, heading, weighing),
    multiples,
    html("p", { class: "crw-caption crw-small crw-text-muted" }, CAPTION),
    table,
  );

  return {
    element,
    draw(picture, width) {
      const { group } = picture;
      const hasPopulations = group.kind === "populations";
      const isShown = isOverview(picture) || hasPopulations;
      setVisible(element, isShown);
      if (!isShown) return;
      if (isNews(group)) {
        setText(heading, HEADINGS[group.kind] ?? "");
        small = group.entries.map((_, i) => createMultiple(i, () => controller.show(i), signal));
        multiples.classList.toggle("crw-crowd", small.length > CROWD);
        multiples.style.setProperty("--crw-columns", `${columnsOf(small.length)}`);
        multiples.replaceChildren(...small.map((multiple) => multiple.element));
      }
      setVisible(weighing, group.kind === "classes");
      // Populations have a table already: the numbers at the threshold.
      setVisible(table, !hasPopulations);
      weights.choose(WEIGHTS.indexOf(picture.weights));
      const areaOf = areaText(group.entries.map(({ auc }) => auc));
      small.forEach((multiple, i) => {
        const { nRows } = group.entries[i];
        const points = group.kind === "classes" ? nRows[1] : nRows[0] + nRows[1];
        multiple.draw(
          entryName(group, group.entries[i]),
          points,
          areaOf(group.entries[i].auc),
          marksOf(picture, i),
        );
      });
      if (!hasPopulations) table.replaceChildren(...rowsOf(picture, width));
    },
  };
}

const CAPTION = "Every square: 0 to 1. ↑ sensitivity, 1 − specificity →. Press one to look at it alone.";
const HEADINGS: Partial<Record<Group["kind"], string>> = {
  classes: "Each class against the rest",
  folds: "Each fold",
  populations: "Each population",
  samples: "Each sample",
};

/** Marks of one entry: with its band in the first question alone, as the others have none for each entry. */
function marksOf(picture: Picture, i: number) {
  const isConformal = picture.group.folds !== null || showsConformal(picture);
  return (isConformal ? ROC : BARE).marks(aloneOf(picture, i));
}

/** Squares in a row where there are a few rows: none is left with one alone. */
const MOST_COLUMNS = 5;
const columnsOf = (n: number) => Math.ceil(n / Math.ceil(n / MOST_COLUMNS));

/** More small plots than this are drawn smaller. */
const CROWD = 6;

const cell = (text: string, name = "") => html("td", name ? { class: name } : {}, text);
const strongCell = (text: string) => html("td", {}, html("b", {}, text));

/** A row each; of classes their average below, of folds none: their bands are never averaged. */
function rowsOf(picture: Picture, width: Width): HTMLElement[] {
  const { group, frames, frame, weights } = picture;
  const average = group.folds ? null : averageOf(picture);
  const areaOf = areaText(group.entries.map(({ auc }) => auc));
  /** With more test data, where its limits are known. */
  const settled =
    average && isSampled(picture)
      ? ({ auc, area }: Evaluation) =>
          area ? areaLimits(auc, area, frame.alpha).map(areaOf).join(" to ") : ""
      : null;
  const sizeOf = ([zeros, ones]: Pair<number>) => (average ? ones : zeros + ones);
  const rows = group.entries.map((entry, i) =>
    html(
      "tr",
      {},
      rowHead(shortName(entryName(group, entry), 40)),
      cell(count(sizeOf(entry.nRows))),
      cell(count(sizeOf(entry.nCalibration))),
      ...(average ? [weightCell(average.weights, i)] : []),
      strongCell(areaOf(entry.auc)),
      cell(settled ? settled(entry) : limitsText(...frames[i].auc, aucSides(frames[i]), undefined, areaOf)),
    ),
  );
  const isWide = width === "wide";
  const heads = [
    ...[average ? (isWide ? "against the rest" : "class") : "fold", "test", isWide ? "calibration" : "cal."],
    ...[...(average ? ["weight"] : []), "AUC", settled ? "more data" : `ideal, ${percent(1 - frame.alpha)}`],
  ];
  const head = html("tr", {}, ...heads.map((text) => columnHead(text)));
  const table = [html("thead", {}, head), html("tbody", {}, ...rows)];
  if (!average) return table;
  const total = (index: "nRows" | "nCalibration") =>
    count(group.entries.reduce((sum, entry) => sum + entry[index][1], 0));
  const { auc, range, sides } = averageAuc(picture);
  const last = html(
    "tr",
    {},
    rowHead(html("b", {}, "Average")),
    cell(total("nRows")),
    cell(total("nCalibration")),
    cell(weights === "size" ? "by size" : "uniform", "crw-weight"),
    strongCell(areaOf(auc)),
    cell(settled ? "" : limitsText(...range, sides, undefined, areaOf)),
  );
  return [...table, html("tfoot", {}, last)];
}

function weightCell(weights: number[], i: number): HTMLElement {
  const width = Math.max(1, (56 * weights[i]) / Math.max(...weights));
  const bar = decoration({ width: 56, height: 8 }, svg("rect", { width, height: 8 }));
  return html("td", { class: "crw-weight" }, bar, rate(weights[i]));
}
