// Overview: all classes, folds or populations beside each other.

import { createChanges } from "../base/changes.ts";
import { html as element, setVisible, uniqueId } from "../base/dom.ts";
import { areaText, count, limitsText, percent, rate, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { createSegments } from "../base/segments.ts";
import { html, nothing, render, unbroken } from "../base/template.ts";
import type { Width } from "../base/width.ts";
import { createMultiple, type Multiple } from "../draw/small.ts";
import { areaLimits } from "../evaluation/sampled_area.ts";
import { type Evaluation, type Group, WEIGHTS } from "../evaluation/types.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import { aucSides, averageAuc, averageOf } from "../shown/overview_numbers.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { BARE } from "../views/bare.ts";
import { pictureOfEntry } from "../views/overview.ts";
import { ROC, showsConformal } from "../views/roc.ts";
import { entryName } from "../words/several_evaluations.ts";
import { isOverview } from "./panel.ts";

/** Each class, fold or population small; and all of them as a table, where no other has them. */
export function createOverview(controller: Controller, signal: AbortSignal): Component {
  const section = element("section", { class: "crw-overview" });
  const [headingId, weightsId] = [uniqueId("crw-each"), uniqueId("crw-weights")];
  const weights = createSegments(
    weightsId,
    [
      { text: "By size", value: WEIGHTS[0] },
      { text: "Uniform", value: WEIGHTS[1] },
    ],
    (i) => controller.choose({ weights: WEIGHTS[i] }),
    signal,
  );
  const isNews = createChanges();
  let small: Multiple[] = [];

  function content(picture: Picture, width: Width) {
    const { group } = picture;
    const crowd = small.length > CROWD ? "crw-crowd" : "";
    const columns = `--crw-columns: ${columnsOf(small.length, width)}`;
    // Populations have a table already: the numbers at the threshold.
    const table =
      group.kind === "populations"
        ? nothing
        : html`<table class="crw-classes" aria-labelledby=${headingId}>${rowsOf(picture, width)}</table>`;
    return html`
      <div class="crw-overview-head crw-row crw-apart">
        <h3 class="crw-strong crw-unbroken" id=${headingId}>${HEADINGS[group.kind]}</h3>
        <div class="crw-weights crw-row crw-apart" ?hidden=${group.kind !== "classes"}>
          <span class="crw-text-muted" id=${weightsId}>Weights</span>${weights.element}
        </div>
      </div>
      <div class="crw-multiples ${crowd}" .style=${columns}>${small.map((multiple) => multiple.element)}</div>
      <p class="crw-caption crw-small crw-text-muted">${CAPTION}</p>
      ${table}`;
  }

  return {
    element: section,
    draw(picture, width) {
      const { group } = picture;
      const isShown = isOverview(picture) || group.kind === "populations";
      setVisible(section, isShown);
      if (!isShown) return;
      if (isNews(group)) {
        small = group.entries.map((_, i) => createMultiple(i, () => controller.show(i), signal));
      }
      weights.choose(WEIGHTS.indexOf(picture.weights));
      const areaOf = areaText(group.entries.map(({ auc }) => auc));
      small.forEach((multiple, i) => {
        const { nRows, auc } = group.entries[i];
        const points = group.kind === "classes" ? nRows[1] : nRows[0] + nRows[1];
        multiple.draw(entryName(group, group.entries[i]), points, areaOf(auc), marksOf(picture, i));
      });
      render(content(picture, width), section);
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
  return (isConformal ? ROC : BARE).marks(pictureOfEntry(picture, i));
}

/** Squares in a row where there are a few rows: none is left with one alone. */
export function columnsOf(n: number, width: Width): number {
  const most = width === "narrow" || (width === "wide" && n <= CROWD) ? 3 : 5;
  const even = Math.ceil(n / Math.ceil(n / most));
  const fitting = Array.from({ length: even - 1 }, (_, i) => even - i);
  return fitting.find((columns) => n % columns !== 1) ?? even + 1;
}

/** More small plots than this are drawn smaller. */
const CROWD = 6;

/** A row each; of classes their average below, of folds none: their bands are never averaged. */
function rowsOf(picture: Picture, width: Width) {
  const { group, frames, frame, weights } = picture;
  const average = group.folds ? null : averageOf(picture);
  const areaOf = areaText(group.entries.map(({ auc }) => auc));
  /** With more test data, where its limits are known. */
  const settled = average && isSampled(picture);
  const settledText = ({ auc, area }: Evaluation) =>
    area ? areaLimits(auc, area, frame.alpha).map(areaOf).join(" to ") : "";
  const idealText = (limits: Pair<number>, sides: Sides) => limitsText(...limits, sides, undefined, areaOf);
  const sizeOf = ([zeros, ones]: Pair<number>) => count(average ? ones : zeros + ones);
  const rows = group.entries.map((entry, i) => {
    const limits = settled ? settledText(entry) : idealText(frames[i].auc, aucSides(frames[i]));
    return html`<tr>
      <th scope="row">${shortName(entryName(group, entry), 40)}</th>
      <td>${sizeOf(entry.nRows)}</td>
      <td>${sizeOf(entry.nCalibration)}</td>
      ${average ? weightCell(average.weights, i) : nothing}
      <td><b>${areaOf(entry.auc)}</b></td>
      <td>${unbroken(limits)}</td>
    </tr>`;
  });
  const isWide = width === "wide";
  const heads = [
    ...[average ? (isWide ? "against the rest" : "class") : "fold", "test", isWide ? "calibration" : "cal."],
    ...[...(average ? ["weight"] : []), "AUC", settled ? "more data" : `ideal, ${percent(1 - frame.alpha)}`],
  ];
  const total = (index: "nRows" | "nCalibration") =>
    count(group.entries.reduce((sum, entry) => sum + entry[index][1], 0));
  const averageRow = () => {
    const { auc, range, sides } = averageAuc(picture);
    return html`<tr>
      <th scope="row"><b>Average</b></th>
      <td>${total("nRows")}</td>
      <td>${total("nCalibration")}</td>
      <td class="crw-weight">${weights === "size" ? "by size" : "uniform"}</td>
      <td><b>${areaOf(auc)}</b></td>
      <td>${settled ? "" : unbroken(idealText(range, sides))}</td>
    </tr>`;
  };
  return html`
    <thead><tr>${heads.map((text) => html`<th scope="col">${unbroken(text)}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
    ${average ? html`<tfoot>${averageRow()}</tfoot>` : nothing}`;
}

function weightCell(weights: number[], i: number) {
  const width = Math.max(1, (56 * weights[i]) / Math.max(...weights));
  return html`<td class="crw-weight">
    <svg aria-hidden="true" width="56" height="8"><rect width=${width} height="8"></rect></svg>${rate(weights[i])}
  </td>`;
}
