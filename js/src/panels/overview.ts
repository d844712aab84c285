// Shows all classes, folds or populations side by side.

import { createChanges } from "../base/changes.ts";
import { radios } from "../base/choices.ts";
import { html as element, setVisible, uniqueId } from "../base/dom.ts";
import { areaText, count, limitsText, percent, rate, share, shareLimits, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { html, nothing, render, type TemplateResult, unbroken } from "../base/template.ts";
import type { Width } from "../base/width.ts";
import { createMultiple, type Multiple } from "../draw/small.ts";
import { areaLimits } from "../evaluation/estimate.ts";
import type { Rate } from "../evaluation/metrics.ts";
import { type Evaluation, type Group, type Label, WEIGHTS } from "../evaluation/types.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import {
  aucSides,
  averageAuc,
  averageOf,
  meanAreaLimits,
  meanRate,
  meanWidth,
} from "../shown/overview_numbers.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { BARE } from "../views/bare.ts";
import { pictureOfEntry } from "../views/overview.ts";
import { ROC, showsConformal } from "../views/roc.ts";
import { entryName } from "../words/several_evaluations.ts";
import { isOverview } from "./panel.ts";

/** Makes a small plot for each class or fold, and one table of all. */
export function createOverview(controller: Controller, signal: AbortSignal): Component {
  const section = element("section", { class: "crw-overview" });
  const [headingId, weightsId] = [uniqueId("crw-each"), uniqueId("crw-weights")];
  const weights = ({ weights }: Picture) =>
    radios(weightsId, "crw-segments", {
      options: WEIGHTS.map((value, i) => ({ value, text: ["By size", "Uniform"][i] })),
      chosen: WEIGHTS.indexOf(weights),
      choose: (i) => controller.choose({ weights: WEIGHTS[i] }),
    });
  const isNews = createChanges();
  let small: Multiple[] = [];
  let first: number[] = [];

  function content(picture: Picture, width: Width) {
    const { group } = picture;
    const squares = (of: number[]) => {
      const columns = `--crw-columns: ${columnsOf(of.length, width)}`;
      return html`<div class="crw-multiples ${of.length > CROWD ? "crw-crowd" : ""}" .style=${columns}>${of.map(
        (i) => small[i].element,
      )}</div>`;
    };
    const table = (of: number[]) =>
      html`<table class="crw-classes" aria-labelledby=${headingId}>${
        group.folds || isSampled(picture)
          ? areaRows(picture, width, of, of === first)
          : classRows(picture, of, of === first)
      }</table>`;
    const folded = width === "narrow" && group.kind === "classes";
    const others = small.flatMap((_, i) => (first.includes(i) ? [] : [i]));
    const rest = html`<details class="crw-rest"><summary><b>and ${others.length} more</b></summary>${squares(others)}${table(others)}</details>`;
    return html`
      <div class="crw-overview-head crw-row crw-apart">
        <h3 class="crw-strong crw-unbroken" id=${headingId}>${HEADINGS[group.kind]}</h3>
        <div class="crw-weights crw-row crw-apart" ?hidden=${group.kind !== "classes"}>
          <span class="crw-text-muted" id=${weightsId}>Weights</span>${weights(picture)}
        </div>
      </div>
      ${squares(first)}
      <p class="crw-caption crw-small crw-text-muted">${CAPTION}</p>
      ${folded ? html`<details><summary><b>Rates of each</b></summary>${table(first)}</details>` : table(first)}
      ${others.length > 0 ? rest : nothing}`;
  }

  return {
    element: section,
    draw(picture, width) {
      const { group } = picture;
      setVisible(section, isOverview(picture));
      if (!isOverview(picture)) return;
      if (isNews(group)) {
        small = group.entries.map((_, i) => createMultiple(i, () => controller.show(i), signal));
        first = widestOf(picture);
      }
      const areaOf = areaText(group.entries.map(({ auc }) => auc));
      small.forEach((multiple, i) => {
        const { nRows, auc } = group.entries[i];
        const n = group.kind === "classes" ? nRows[1] : nRows[0] + nRows[1];
        const name = entryName(group, group.entries[i]);
        multiple.draw(name, n, picture.noun, areaOf(auc), marksOf(picture, i));
      });
      render(content(picture, width), section);
    },
  };
}

const CAPTION = "Every square: 0 to 1. ↑ sensitivity, 1 − specificity →. Press one to look at it alone.";
const HEADINGS: Partial<Record<Group["kind"], string>> = {
  classes: "Each class against the rest",
  folds: "Each fold",
};

/**
 * Returns the marks of one evaluation. If other limits than the conformal ones are chosen, a small plot has no band.
 */
function marksOf(picture: Picture, i: number) {
  const isConformal = !isSampled(picture) && (picture.group.folds !== null || showsConformal(picture));
  return (isConformal ? ROC : BARE).marks(pictureOfEntry(picture, i));
}

/**
 * Returns the number of small plots in a row. It makes the rows as equal as possible, so that no row has a single plot.
 */
export function columnsOf(n: number, width: Width): number {
  const most = width === "narrow" || (width === "wide" && n <= CROWD) ? 3 : 5;
  const even = Math.ceil(n / Math.ceil(n / most));
  const fitting = Array.from({ length: even - 1 }, (_, i) => even - i);
  return fitting.find((columns) => n % columns !== 1) ?? even + 1;
}

/** If there are more small plots than this, they are smaller. */
const CROWD = 6;

/**
 * If there are more small plots than this, only those with the widest bands are shown at first. The user can open the
 * others.
 */
const MOST_SHOWN = 20;

/**
 * Returns the indices of the evaluations that have a small plot, in ascending order. During a drag they stay the same.
 */
function widestOf({ group, frames }: Picture): number[] {
  const all = group.entries.map((entry, i) => ({ i, width: meanWidth(entry, frames[i]) }));
  const widest = all.toSorted((a, b) => b.width - a.width).slice(0, MOST_SHOWN);
  return widest.map(({ i }) => i).toSorted((a, b) => a - b);
}

/** Returns the table of classes: their average, then a row for each class with both rates at the common threshold. */
function classRows(picture: Picture, of: number[], isFirst: boolean) {
  const { group, frame } = picture;
  const areaOf = areaText(group.entries.map(({ auc }) => auc));
  const [specificity, sensitivity] = ([0, 1] as const).map((label) => meanRate(picture, label));
  const row = (name: string | TemplateResult, size: string, area: string, [sens, spec]: Pair<Rate>) => {
    const cells = ({ observed, lower, upper, sides }: Rate, label: Label) => {
      const limits = shareLimits(lower, upper, sides);
      return html`<td>${unbroken(share(observed))}</td><td class="crw-text-label${label}">${unbroken(limits)}</td>`;
    };
    return html`<tr>
      <th scope="row">${name}</th>
      <td class="crw-size crw-text-muted">${size}</td>
      <td>${area}</td>
      ${cells(sens, 1)}${cells(spec, 0)}
    </tr>`;
  };
  const ideal = html`<th scope="col">${unbroken(`true risks, ${percent(1 - frame.alpha)}`)}</th>`;
  return html`
    <thead>
      <tr>
        <td></td><td class="crw-size"></td><td></td>
        <th scope="colgroup" colspan="2" class="crw-text-label1">Sensitivity</th>
        <th scope="colgroup" colspan="2" class="crw-text-label0">Specificity</th>
      </tr>
      <tr>
        <td></td><th scope="col" class="crw-size">positives</th><th scope="col">AUC</th>
        <th scope="col">here</th>${ideal}
        <th scope="col">here</th>${ideal}
      </tr>
    </thead>
    <tbody>
      ${isFirst ? row(html`<b>Average</b>`, "", areaOf(averageAuc(picture).auc), [sensitivity, specificity]) : nothing}
      ${of.map((i) => {
        const entry = group.entries[i];
        const rates = [sensitivity.rates[i], specificity.rates[i]] as const;
        return row(shortName(entryName(group, entry), 40), count(entry.nRows[1]), areaOf(entry.auc), rates);
      })}
    </tbody>`;
}

/**
 * Returns the table of areas, with a row for each class or fold. Classes also have the average of their bands. The
 * bands of folds are never averaged.
 */
function areaRows(picture: Picture, width: Width, of: number[], isFirst: boolean) {
  const { group, frames, frame, weights } = picture;
  const average = group.folds ? null : averageOf(picture);
  const areaOf = areaText(group.entries.map(({ auc }) => auc));
  /** Whether the table has confidence limits in the population. */
  const settled = isSampled(picture);
  const settledText = ({ auc, area }: Evaluation) =>
    area ? areaLimits(auc, area, frame.alpha).map(areaOf).join(" to ") : "";
  const idealText = (limits: Pair<number>, sides: Sides) => limitsText(...limits, sides, undefined, areaOf);
  const sizeOf = ([zeros, ones]: Pair<number>) => count(average ? ones : zeros + ones);
  const rows = of.map((i) => {
    const entry = group.entries[i];
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
    ...[
      ...(average ? ["weight"] : []),
      "AUC",
      settled ? `all like these, ${percent(1 - frame.alpha)}` : `true risks, ${percent(1 - frame.alpha)}`,
    ],
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
      <td>${unbroken(settled ? (meanAreaLimits(picture)?.map(areaOf).join(" to ") ?? "") : idealText(range, sides))}</td>
    </tr>`;
  };
  return html`
    <thead><tr>${heads.map((text) => html`<th scope="col">${unbroken(text)}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
    ${average && isFirst ? html`<tfoot>${averageRow()}</tfoot>` : nothing}`;
}

function weightCell(weights: number[], i: number) {
  const width = Math.max(1, (56 * weights[i]) / Math.max(...weights));
  return html`<td class="crw-weight">
    <svg aria-hidden="true" width="56" height="8"><rect width=${width} height="8"></rect></svg>${rate(weights[i])}
  </td>`;
}
