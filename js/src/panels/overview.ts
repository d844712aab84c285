import { decoration, html, setText, svg, uniqueId } from "../base/dom.ts";
import { count, fixed, limitsText, percent, rate, signed } from "../base/format.ts";
import { createSegments } from "../base/segments.ts";
import type { Width } from "../base/width.ts";
import { type Gap, gapsAt } from "../evaluation/gaps.ts";
import { type Group, WEIGHTS } from "../evaluation/types.ts";
import { SERIES } from "../plot/overview_plot.ts";
import { createMultiple, type Multiple } from "../plot/small_multiple.ts";
import type { Controller } from "../sync/controller.ts";
import { aucSides, averageAuc, averageOf, widthTexts } from "../sync/overview_numbers.ts";
import type { Component, Picture } from "../sync/view_model.ts";
import { differenceRange, pairLimits } from "../words/ranking.ts";
import { entryName, nounOfKind } from "../words/several_evaluations.ts";

/** Beside the curves of several evaluations: each of them small, and all of them as a table. */
export function createOverview(controller: Controller, signal: AbortSignal): Component {
  const heading = html("h3", { id: uniqueId("crw-each") });
  const weightsTitle = html("span", { class: "crw-choice-title", id: uniqueId("crw-weights") }, "Weights");
  const weights = createSegments(
    weightsTitle.id,
    [
      { text: "By size", value: WEIGHTS[0] },
      { text: "Uniform", value: WEIGHTS[1] },
    ],
    (i) => controller.choose({ weights: WEIGHTS[i] }),
    signal,
  );
  const weighing = html("div", { class: "crw-weights" }, weightsTitle, weights.element);
  const multiples = html("div", { class: "crw-multiples" });
  const table = html("table", { class: "crw-classes", "aria-labelledby": heading.id });
  const paired = html("table", { class: "crw-classes crw-paired" });
  const pairs = html("summary");
  const fold = html("details", {}, pairs, paired);
  const message = html("p", { class: "crw-message" });
  let drawnGroup: Group | null = null;
  let small: Multiple[] = [];

  return {
    element: html(
      "section",
      { class: "crw-several" },
      html("div", { class: "crw-several-head" }, heading, weighing),
      multiples,
      table,
      fold,
      message,
    ),
    draw(picture, width) {
      const { group, frames } = picture;
      const isAveraged = group.kind === "classes";
      const isCompared = group.kind === "classifiers";
      const hasPopulations = group.kind === "populations";
      const hasMultiples = isAveraged || hasPopulations || group.kind === "folds";
      if (group !== drawnGroup) {
        drawnGroup = group;
        setText(heading, HEADINGS[group.kind]);
        small = hasMultiples
          ? group.entries.map((_, i) => createMultiple(i, () => controller.show(i), signal))
          : [];
        multiples.classList.toggle("crw-crowd", small.length > CROWD);
        multiples.replaceChildren(...small.map(({ element }) => element));
        // A long table would push the sliders off the screen.
        pairs.hidden = group.entries.length <= CROWD / 2;
        fold.open = pairs.hidden;
      }
      multiples.hidden = !hasMultiples;
      weighing.hidden = !isAveraged;
      message.hidden = !MESSAGES[group.kind];
      weights.choose(WEIGHTS.indexOf(picture.weights));
      small.forEach((multiple, i) => {
        const { nTest } = group.entries[i];
        const points = isAveraged ? nTest[1] : nTest[0] + nTest[1];
        multiple.draw(entryName(group, group.entries[i]), points, group.entries[i], frames[i]);
      });
      const rows = isAveraged ? classRows : hasMultiples ? partRows : classifierRows;
      table.replaceChildren(...rows(picture, width));
      const k = group.entries.length;
      const length = hasPopulations ? (k * (k - 1)) / 2 : isCompared ? picture.comparators.pairs.length : 0;
      fold.hidden = length === 0;
      setText(pairs, `${count(length)} ${hasPopulations ? "gaps" : "paired differences in AUC (DeLong)"}`);
      paired.dataset.testid = hasPopulations ? "gaps" : "paired";
      if (!fold.hidden) paired.replaceChildren(...(hasPopulations ? gapRows : pairedRows)(picture));
      setText(message, MESSAGES[group.kind] ?? "");
    },
  };
}

const HEADINGS = {
  single: "",
  classes: "Each class against the rest",
  classifiers: "Each classifier on the same points",
  bands: "Each band around the same curve",
  populations: "Each population",
  folds: "Each fold",
};

/** More small plots than this are drawn smaller. */
const CROWD = 6;

const MESSAGES: Partial<Record<Group["kind"], string>> = {
  classifiers:
    "A band is wide where the calibration residuals are spread: by the classifier’s errors, and by the noise of the " +
    "reference π̃. A constant bias shifts the band. To compare ranking, use the AUC.",
  folds:
    "Each fold is calibrated by the out-of-fold rows of all others. The bands are never averaged: press a fold to see its band large.",
  populations:
    "Each population is calibrated by its own rows; one with too few has no limits. Populations are other people: " +
    "a gap between two AUCs mixes how well each is ranked with how hard it is to rank.",
};

const cell = (text: string, name = "") => html("td", name ? { class: name } : {}, text);
const strongCell = (text: string) => html("td", {}, html("b", {}, text));
const rowHead = (...content: (Node | string)[]) => html("th", { scope: "row" }, ...content);

function headRow(...texts: string[]) {
  return html("thead", {}, html("tr", {}, ...texts.map((text) => html("th", { scope: "col" }, text))));
}

function classRows(picture: Picture, width: Width): HTMLElement[] {
  const { group, frames, frame, weights } = picture;
  const average = averageOf(picture);
  const largest = Math.max(...average.weights);
  const rows = group.entries.map((entry, i) =>
    html(
      "tr",
      {},
      rowHead(entryName(group, entry)),
      cell(count(entry.nTest[1])),
      cell(count(entry.nCalibration[1])),
      html("td", { class: "crw-weight" }, bar(average.weights[i] / largest), rate(average.weights[i])),
      strongCell(rate(entry.auc)),
      cell(limitsText(...frames[i].auc, aucSides(frames[i])), "crw-text-muted"),
    ),
  );
  const total = (index: "nTest" | "nCalibration") =>
    count(group.entries.reduce((sum, entry) => sum + entry[index][1], 0));
  const { auc, range, sides } = averageAuc(picture);
  const last = html(
    "tr",
    {},
    rowHead(html("b", {}, "Average")),
    cell(total("nTest")),
    cell(total("nCalibration")),
    cell(weights === "size" ? "by size" : "uniform", "crw-weight crw-text-muted"),
    strongCell(rate(auc)),
    cell(limitsText(...range, sides), "crw-text-muted"),
  );
  const level = percent(1 - frame.alpha);
  return [
    width === "narrow"
      ? headRow("class", "test", "cal.", "weight", "AUC", `ideal, ${level}`)
      : headRow("against the rest", "test", "calibration", "weight", "AUC", `ideal, ${level}`),
    html("tbody", {}, ...rows),
    html("tfoot", {}, last),
  ];
}

function bar(fraction: number): SVGElement {
  return decoration(
    { class: "crw-bar", width: 56, height: 8 },
    svg("rect", { width: Math.max(1, 56 * fraction), height: 8 }),
  );
}

function classifierRows(picture: Picture): HTMLElement[] {
  const { group, frames, frame } = picture;
  const { texts } = widthTexts(picture);
  const rows = group.entries.map((entry, i) =>
    html(
      "tr",
      {},
      rowHead(sample(i), html("span", {}, entry.name)),
      strongCell(rate(entry.auc)),
      cell(limitsText(...frames[i].auc, aucSides(frames[i])), "crw-text-muted"),
      strongCell(texts[i] ?? "no limits"),
    ),
  );
  return [
    headRow(nounOfKind(group), "AUC", `ideal, ${percent(1 - frame.alpha)}`, "band’s mean width"),
    html("tbody", {}, ...rows),
  ];
}

const sample = (i: number) =>
  decoration(
    { class: "crw-sample", width: 32, height: 12 },
    svg("path", { class: `crw-curve crw-series crw-series${i % SERIES}`, d: "M1 6H31" }),
  );

/** Each on points of its own. */
function partRows({ group, frames, frame }: Picture, width: Width): HTMLElement[] {
  const rows = group.entries.map((entry, i) =>
    html(
      "tr",
      {},
      rowHead(entryName(group, entry)),
      cell(count(entry.nTest[0] + entry.nTest[1])),
      cell(count(entry.nCalibration[0] + entry.nCalibration[1])),
      strongCell(rate(entry.auc)),
      cell(limitsText(...frames[i].auc, aucSides(frames[i])), "crw-text-muted"),
    ),
  );
  const calibration = width === "narrow" ? "cal." : "calibration";
  return [
    headRow(nounOfKind(group), "test", calibration, "AUC", `ideal, ${percent(1 - frame.alpha)}`),
    html("tbody", {}, ...rows),
  ];
}

/** Differences of both rates at the threshold, with limits for all of them together. */
function gapRows({ group, frames, wanted }: Picture): HTMLElement[] {
  const { tpr, fpr } = gapsAt(group, frames, wanted.alpha, wanted.threshold);
  const limits = (gap: Gap) =>
    gap.limits === null
      ? "see Populations.gap"
      : limitsText(...gap.limits, [gap.limits[0] > -1, gap.limits[1] < 1]);
  const cells = (gap: Gap) => [strongCell(signed(gap.difference)), cell(limits(gap), "crw-text-muted")];
  const rows = tpr.map((gap, i) => {
    const [a, b] = gap.pair.map((k) => entryName(group, group.entries[k]));
    return html("tr", {}, rowHead(`${a} − ${b}`), ...cells(gap), ...cells(fpr[i]));
  });
  const level = `ideal, ${percent(1 - wanted.alpha)} together`;
  return [headRow("gap", "sensitivity", level, "FPR", level), html("tbody", {}, ...rows)];
}

/** Differences in AUC on the same points, as DeLong's test has them. */
function pairedRows({ comparators, wanted }: Picture): HTMLElement[] {
  const { length } = comparators.pairs;
  const rows = comparators.pairs.map((pair) => {
    const { a, b, difference, z, p } = pair;
    const limits = pairLimits(pair, length, wanted.alpha);
    return html(
      "tr",
      {},
      rowHead(`${a} − ${b}`),
      strongCell(signed(difference, 3)),
      cell(limits === null ? "no limits" : differenceRange(limits), "crw-text-muted"),
      cell(z === null ? "none" : signed(z)),
      cell(pText(p)),
    );
  });
  const level = `${percent(1 - wanted.alpha)}${length > 1 ? " together" : ""}`;
  const heads = ["DeLong, paired", "AUC difference", level, "z", length > 1 ? "p, Holm" : "p"];
  return [headRow(...heads), html("tbody", {}, ...rows)];
}

function pText(p: number | null): string {
  if (p === null) return "none";
  return p < 0.001 ? "< 0.001" : fixed(p, 3);
}
