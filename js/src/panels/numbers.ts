// The counts and the rates at the threshold; of several classifiers a row each.

import { createChanges } from "../base/changes.ts";
import { html, listen, setAttributes, setText, setVisible, uniqueId } from "../base/dom.ts";
import {
  areaText,
  count,
  limitsText,
  percent,
  range,
  rate,
  shortName,
  tellingSides,
  thresholdText,
} from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { createSelect } from "../base/select.ts";
import { columnHead, fillBody, rowHead } from "../base/table.ts";
import { createLineSample } from "../draw/line_sample.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { exactLimits } from "../evaluation/exact_limits.ts";
import { peopleAt } from "../evaluation/horizons.ts";
import { idealLimits } from "../evaluation/ideal_curve.ts";
import { rateAt } from "../evaluation/metrics.ts";
import { areaLimits } from "../evaluation/sampled_area.ts";
import { type Confusion, type Evaluation, LABELS, type Label } from "../evaluation/types.ts";
import { BOTH, type Sides } from "../evaluation/vacuous.ts";
import type { Pen } from "../scene.ts";
import { cutsOf, hasCuts } from "../shown/cuts.ts";
import { aucSides } from "../shown/overview_numbers.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { idealCurveOf } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { UP } from "../views/corner.ts";
import { penOf } from "../views/others.ts";
import { UNIT } from "../views/parts.ts";
import { settledRates } from "../views/sampling.ts";
import { isCornered } from "../views/views.ts";
import { className } from "../words/one_evaluation.ts";
import { SAMPLING_TONE, TONES, type Tone } from "../words/runs.ts";
import { isOverview } from "./panel.ts";
import { createWhisker } from "./whisker.ts";

/** Cells of the confusion table, called and not called, by label. */
const CELLS: Record<Label, [keyof Confusion, keyof Confusion]> = { 1: ["tp", "fn"], 0: ["fp", "tn"] };
const NAMES: Record<keyof Confusion, string> = {
  tp: "true positives",
  fn: "false negatives",
  fp: "false positives",
  tn: "true negatives",
};
const CORRECT = ["tp", "tn"];

/** The counts at the threshold, a row a class, and both rates with their limits. */
export function createNumbers(controller: Controller, signal: AbortSignal): Component {
  const counts = createCounts((name) => controller.select(name), signal);
  const rates = createRates();
  const several = createSeveral(controller, signal);
  const one = html("div", { class: "crw-one" }, counts.element, rates.element);
  const element = html(
    "section",
    { class: "crw-numbers", "aria-label": "Test points at the threshold" },
    one,
    several.element,
  );
  return {
    element,
    draw(picture, width) {
      setVisible(element, !isOverview(picture));
      if (isOverview(picture)) return;
      const isSeveral = hasCuts(picture.group);
      setVisible(one, !isSeveral);
      setVisible(several.element, isSeveral);
      if (isSeveral) return several.draw(picture, width);
      counts.draw(picture);
      rates.draw(picture);
    },
  };
}

/** Where the kernel can select rows, a cell is pressed for its own. */
function createCounts(select: (name: keyof Confusion) => void, signal: AbortSignal) {
  const positive = columnHead("called");
  const corner = html("th", { scope: "col" }, html("span", { class: "crw-hidden" }, "Test points"));
  const body = html("tbody");
  const numbers = new Map<keyof Confusion, HTMLElement>();
  const isNews = createChanges();

  function cell(name: keyof Confusion, isOffered: boolean): HTMLElement {
    const number = html("b");
    numbers.set(name, number);
    const content = [html("span", { class: "crw-hidden" }, `${NAMES[name]} `), number];
    const td = html("td", {
      title: NAMES[name],
      ...(CORRECT.includes(name) ? { class: "crw-correct" } : {}),
    });
    if (!isOffered) {
      td.append(...content);
      return td;
    }
    const title = `${NAMES[name]}: select these rows in Python`;
    const press = html("button", { class: "crw-cell", "data-testid": `select-${name}`, title }, ...content);
    listen(press, "click", signal, () => select(name));
    td.append(press);
    return td;
  }

  function build(evaluation: Evaluation, canSelect: boolean) {
    const { classes } = evaluation;
    if (!isNews(classes, canSelect)) return;
    positive.title = `called ${className(1, classes)}`;
    body.replaceChildren(
      ...LABELS.map((label) =>
        html(
          "tr",
          { class: `crw-label${label}` },
          rowHeading(label, classes),
          ...CELLS[label].map((name) => cell(name, canSelect)),
        ),
      ),
    );
  }

  return {
    element: html(
      "table",
      { class: "crw-counts", "aria-label": "Confusion table" },
      html("thead", {}, html("tr", {}, corner, positive, columnHead("not called"))),
      body,
    ),
    draw({ evaluation, frame, wanted, source }: Picture) {
      build(evaluation, evaluation.selectable && source !== "static");
      const { followed } = evaluation;
      const point = followed
        ? peopleAt(evaluation, followed, wanted.threshold)
        : operatingPointAt(evaluation, frame, wanted.threshold);
      for (const [name, number] of numbers) setText(number, count(point[name]));
    },
  };
}

function rowHeading(label: Label, classes: Pair<string>): HTMLElement {
  const name = className(label, classes);
  return rowHead(
    html("b", { class: `crw-class-name crw-cut crw-text-label${label}`, title: name }, shortName(name)),
  );
}

/** Where the band of the question puts a rate. */
interface Range {
  limits: Pair<number>;
  sides: Sides;
  tone: Tone;
}

function rangesOf(picture: Picture): Pair<Range | null> {
  const { evaluation, frame, wanted, band } = picture;
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  if (picture.view === "roc" && band === "none") return [null, null];
  const isOther = picture.view === "roc" && (band === "ideal" || band === "sampling");
  if (isOther) {
    if (band === "sampling") {
      const [specificity, sensitivity] = settledRates(picture).map(
        (limits) => limits && { limits, sides: BOTH, tone: SAMPLING_TONE },
      );
      return [specificity, sensitivity];
    }
    const own = idealCurveOf(picture);
    const limits = own && idealLimits(own, point.fpr);
    return [null, limits && { limits, sides: BOTH, tone: TONES[1] }];
  }
  const rangeOf = (label: Label): Range => {
    const { lower, upper, sides } = rateAt(label, frame, point);
    return { limits: [lower, upper], sides: tellingSides(sides, [lower, upper]), tone: TONES[label] };
  };
  return [rangeOf(0), rangeOf(1)];
}

function createRates() {
  const [whose, how] = [html("span"), html("span")];
  const level = html("th", { scope: "col" }, whose, how);
  const here = columnHead();
  const ends = html("div", { class: "crw-bar-ends crw-text-muted" });
  const heads = [html("td"), here, html("td", { class: "crw-bar-cell" }, ends), level];
  const rows = [createRate("Sensitivity", 1), createRate("Specificity", 0)] as const;
  return {
    element: html(
      "table",
      { class: "crw-metrics", "data-testid": "metrics", "aria-label": "Rates at the threshold" },
      html("thead", {}, html("tr", {}, ...heads)),
      html("tbody", {}, ...rows.map(({ element }) => element)),
    ),
    draw(picture: Picture) {
      const { frame } = picture;
      const isSampling = isSampled(picture);
      setText(here, picture.evaluation.followed ? "here, weighted" : "here");
      setText(whose, isSampling ? "more data" : "ideal");
      setText(how, `, ${percent(1 - frame.alpha)}`);
      // Where there is room for little, the slider's confidence does for the longer words.
      setAttributes(how, { class: isSampling ? "crw-level" : "" });
      setAttributes(level, { title: level.textContent ?? "" });
      const { tpr, fpr } = operatingPointAt(picture.evaluation, frame, picture.wanted.threshold);
      const [specificity, sensitivity] = rangesOf(picture);
      const axis = isCornered(picture) ? UP : UNIT;
      ends.replaceChildren(...(axis === UP ? axis.map((end) => html("span", {}, String(end))) : []));
      rows[0].draw(tpr, sensitivity, axis);
      rows[1].draw(1 - fpr, specificity, axis);
    },
  };
}

function createRate(name: string, label: Label) {
  const observed = html("td", { class: "crw-observed" });
  const whisker = createWhisker(TONES[label]);
  const bar = html("td", { class: "crw-bar-cell" }, whisker.element);
  const limits = html("td");
  return {
    element: html("tr", {}, rowHead(name), observed, bar, limits),
    draw(value: number, found: Range | null, axis: Pair<number>) {
      setText(observed, rate(value));
      setAttributes(limits, { class: `crw-text-${found?.tone ?? "muted"}` });
      setText(limits, found ? limitsText(...found.limits, found.sides) : "");
      whisker.draw(
        value,
        found?.limits ?? [value, value],
        found?.sides ?? BOTH,
        found?.tone ?? TONES[label],
        axis,
      );
    },
  };
}

/** Exact limits of a rate at a threshold with more test data; none where rows do not count alike. */
function exactText({ weighted }: Evaluation, point: Confusion, label: Label, alpha: number): string {
  if (weighted) return "";
  const [right, wrong] = label === 1 ? [point.tp, point.fn] : [point.tn, point.fp];
  return range(...exactLimits(right, right + wrong, alpha));
}

/** The area with more test data, where its limits are known. */
function areaTitle({ auc, area }: Evaluation, alpha: number): string {
  if (!area) return "";
  const limits = areaLimits(auc, area, alpha);
  const text = areaText([auc, ...limits]);
  return `AUC ${text(auc)}, ${limits.map(text).join(" to ")} with more test data`;
}

/** Of one of several: its line, and a radio to look at it where no other has them. */
function createName(group: string, show: () => void, signal: AbortSignal) {
  const radio = html("input", { type: "radio", name: group });
  listen(radio, "change", signal, show);
  const sample = createLineSample();
  const words = html("span");
  const element = html("label", {}, radio, sample.element, words);
  return {
    draw(cell: HTMLTableCellElement, pen: Pen, isShown: boolean) {
      // A new name has taken the place of all that was in the cell.
      if (cell.firstChild !== element) {
        setText(words, cell.textContent ?? "");
        cell.replaceChildren(element);
      }
      sample.draw(pen);
      radio.checked = isShown;
    },
  };
}

type Name = ReturnType<typeof createName>;

const OPTIMISTIC =
  "Thresholds found on these test points are optimistic: the limits are promised for one drawn at random.";

/** Several classifiers at their thresholds: the same one, or those at which they are equally sensitive. */
function createSeveral(controller: Controller, signal: AbortSignal): Component {
  const choice = createSelect(
    { class: "crw-scope", "aria-label": "Where the classifiers are cut" },
    ["at the same threshold", "at the same sensitivity"],
    (i) => controller.choosePage({ alike: i === 1 }),
    signal,
  );
  const heads = ["", "threshold", "AUC", "here", "ideal", "here", "ideal"].map((text) => columnHead(text));
  const body = html("tbody");
  const names: Name[] = [];
  const radios = uniqueId("crw-cut");
  const headOf = (label: Label, text: string) =>
    html("th", { scope: "colgroup", colspan: 2, class: `crw-text-label${label}` }, text);
  const head = html("td", {}, choice);
  const note = html("p", { class: "crw-footnote" }, OPTIMISTIC);
  const element = html(
    "div",
    { class: "crw-several", "data-testid": "cuts" },
    html(
      "table",
      { "aria-label": "Classifiers compared" },
      html(
        "thead",
        {},
        html("tr", {}, head, headOf(1, "Sensitivity"), headOf(0, "Specificity")),
        html("tr", {}, ...heads),
      ),
      body,
    ),
    note,
  );
  return {
    element,
    draw(picture) {
      const { group, frames, frame, page } = picture;
      choice.selectedIndex = page.alike ? 1 : 0;
      element.classList.toggle("crw-alike", page.alike);
      head.colSpan = page.alike ? 3 : 2;
      setVisible(note, page.alike);
      const isSampling = isSampled(picture);
      const level = percent(1 - frame.alpha);
      for (const i of [4, 6]) {
        setText(heads[i], isSampling ? "more data" : `ideal, ${level}`);
        setAttributes(heads[i], { title: isSampling ? `with much more test data, ${level}` : "" });
      }
      const area = areaText(group.entries.map(({ auc }) => auc));
      const rows = cutsOf(picture).map(({ threshold, point }, i) => {
        const rates = LABELS.flatMap((label) => {
          const { observed, lower, upper, sides } = rateAt(label, frames[i], point);
          const limits = isSampling ? exactText(group.entries[i], point, label, frame.alpha) : null;
          return [rate(observed), limits ?? limitsText(lower, upper, sides)];
        });
        const { name, auc } = group.entries[i];
        return [name, thresholdText(threshold), area(auc), ...rates];
      });
      const tones = isSampling ? [SAMPLING_TONE, SAMPLING_TONE] : TONES;
      fillBody(body, rows, { 4: `crw-text-${tones[1]}`, 6: `crw-text-${tones[0]}` });
      frames.forEach((each, i) => {
        const row = body.rows[i];
        row.title = isSampling
          ? areaTitle(group.entries[i], frame.alpha)
          : `AUC of an ideal model ${limitsText(...each.auc, aucSides(each))}`;
        row.classList.toggle("crw-lead", i === picture.shown);
        names[i] ??= createName(radios, () => controller.show(i), signal);
        names[i].draw(row.cells[0], penOf(i, picture.shown), i === picture.shown);
      });
    },
  };
}
