// Shows a table of the counts and rates at the threshold. If there are several classifiers, each has a row.

import { html as element, setVisible, uniqueId } from "../base/dom.ts";
import {
  areaText,
  count,
  limitsText,
  percent,
  share,
  shareLimits,
  shareRange,
  shortName,
  thresholdText,
} from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { html, nothing, render, type TemplateResult, unbroken } from "../base/template.ts";
import type { Width } from "../base/width.ts";
import { words } from "../base/words.ts";
import { lineSample } from "../draw/sample.ts";
import { operatingPointAt, rowsInCells } from "../evaluation/at_alpha.ts";
import { areaLimits } from "../evaluation/estimate.ts";
import { idealLimits } from "../evaluation/ideal_curve.ts";
import { rateAt } from "../evaluation/metrics.ts";
import { settledAt, settledRate } from "../evaluation/settled.ts";
import { type Confusion, type Evaluation, LABELS, type Label } from "../evaluation/types.ts";
import { cutsOf, hasCuts } from "../shown/cuts.ts";
import { goalAtThreshold, isUnlimited } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import { aucSides } from "../shown/overview_numbers.ts";
import { ownLimits } from "../shown/own_limits.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { idealCurveOf } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { penOf } from "../views/others.ts";
import { goalLimit } from "../words/goal.ts";
import { className } from "../words/one_evaluation.ts";
import { calledHead } from "../words/rows.ts";
import { SAMPLING_TONE, TONES, type Tone } from "../words/runs.ts";
import { isOverview } from "./panel.ts";
import { NOTE } from "./threshold_menu.ts";

/** Makes the table of counts at the threshold: a row for each class, with its rate and the limits of the rate. */
export function createNumbers(controller: Controller): Component {
  const section = element("section", { class: "crw-numbers", "aria-label": "Rows at the threshold" });
  const radios = uniqueId("crw-cut");
  return {
    element: section,
    draw(picture, width) {
      const isThere = !isOverview(picture) && picture.evaluation.unlabelled === null;
      setVisible(section, isThere);
      if (!isThere) return;
      const isSeveral = hasCuts(picture.group);
      render(isSeveral ? several(picture, width, radios, controller) : one(picture, controller), section);
    },
  };
}

/**
 * For each label, the two cells of its row: rows predicted positive, and rows predicted negative. `after` is
 * the text after the cell's number, and `isRight` tells whether the prediction is right.
 */
const CELLS = {
  1: [
    { cell: "tp", after: "", isRight: true },
    { cell: "fn", after: " missed", isRight: false },
  ],
  0: [
    { cell: "fp", after: " false alarms", isRight: false },
    { cell: "tn", after: "", isRight: true },
  ],
} as const;
const NAMES: Record<keyof Confusion, string> = {
  tp: "true positives",
  fn: "false negatives",
  fp: "false positives",
  tn: "true negatives",
};

/**
 * Returns the table of one evaluation. Each label has a row: its rows predicted positive and negative, the rate of
 * right predictions, and the limits of this rate.
 */
function one(picture: Picture, controller: Controller) {
  const { evaluation, frame, wanted, source } = picture;
  const { nRows, classes } = evaluation;
  const canSelect = evaluation.selectable && source !== "static";
  const observed = operatingPointAt(evaluation, frame, wanted.threshold);
  const counts = rowsInCells(evaluation, wanted.threshold);
  const columns = columnsOf(picture);
  const cell = (label: Label, { cell: name, after, isRight }: (typeof CELLS)[Label][number]) => {
    const n = counts[name];
    const text = n === 1 && name === "fp" ? " false alarm" : after;
    const number = html`<b>${count(n)}</b>${text}`;
    const press = () =>
      html`<button type="button" class="crw-cell" data-testid="select-${name}"
        title="${NAMES[name]}: select these rows in Python" @click=${() => controller.select(name)}>${number}</button>`;
    return html`<td title=${NAMES[name]} class="crw-count crw-label${label} ${isRight ? "crw-correct" : ""}">${
      canSelect ? press() : number
    }</td>`;
  };
  const row = (label: Label) => {
    const name = shortName(className(label, classes), 14);
    const value = label === 1 ? observed.tpr : 1 - observed.fpr;
    const limits = columns.map((column) => {
      const said = column.of[label];
      return html`<td class="crw-limits crw-text-${said?.tone ?? "muted"}" data-head=${column.head} title=${said?.title ?? ""}>${unbroken(said?.text ?? "")}</td>`;
    });
    return html`<tr>
      <th scope="row" title=${className(label, classes)}><b class="crw-text-label${label}">${name}</b>, ${count(nRows[label])}</th>
      ${CELLS[label].map((each) => cell(label, each))}
      <td class="crw-rate"><span>${RATES[label]}</span> <b>${unbroken(share(value))}</b></td>
      ${limits}
    </tr>`;
  };
  return html`<table class="crw-counts" data-testid="metrics" aria-label="Counts and rates at the threshold">
    <thead><tr>
      <td></td>
      ${([1, 0] as const).map((label) => html`<th scope="col">${calledHead(picture, label)}</th>`)}
      <th scope="col">these ${picture.noun}</th>
      ${columns.map(({ head, tone }) => html`<th scope="col" class="crw-limits crw-text-${tone}">${unbroken(head)}</th>`)}
    </tr></thead>
    <tbody>${LABELS.map(row)}</tbody>
  </table>`;
}

const RATES = [words("rate.specificity"), words("rate.sensitivity")] as const;

/**
 * A column of the table with one kind of limits for each label's rate: for this classifier in the population, for the
 * true risks, or for the best possible model.
 */
interface Column {
  head: string;
  tone: Tone;
  of: Pair<Said | null>;
}

/** The limits of a rate in words, or why it has none. */
interface Said {
  text: string;
  tone: Tone;
  title?: string;
}

/**
 * Returns the columns of limits for the chosen band: confidence limits of this classifier and, beside them, limits of
 * the true risks.
 */
function columnsOf(picture: Picture): Column[] {
  const { view, band, frame } = picture;
  if (isUnlimited(picture)) return [];
  const level = percent(1 - frame.alpha);
  if (view === "roc" && band === "ideal") {
    const own = idealCurveOf(picture);
    const limits = own && shareRange(...idealLimits(own, frame.point.fpr));
    return [
      {
        head: `best possible, ${level}`,
        tone: "label1",
        of: [null, limits ? { text: limits, tone: "label1" } : null],
      },
    ];
  }
  const isAlone = isSampled(picture) || view === "reliability";
  const own: Column = {
    head: isAlone
      ? `all ${picture.noun}\nlike these,\n${isAnyLook(picture) ? `${level}, every look` : `${level} sure`}`
      : `all ${picture.noun}\nlike these`,
    tone: SAMPLING_TONE,
    of: [ownSaid(picture, 0), ownSaid(picture, 1)],
  };
  return isAlone
    ? [own]
    : [own, { head: "true risks", tone: "ink", of: [trueSaid(picture, 0), trueSaid(picture, 1)] }];
}

/**
 * Returns the confidence limits of this classifier's rate in words. If the rate has a goal whose one-sided
 * limit is shown, only this limit is given. If the threshold was found for another rate's goal, no limit is
 * given.
 */
function ownSaid(picture: Picture, label: Label): Said | null {
  const goal = goalAtThreshold(picture);
  if (goal?.label === label) return { text: goalLimit(goal.least), tone: SAMPLING_TONE };
  if (goal?.isOn) {
    return { text: "picked", tone: "muted", title: "Picked on these rows: this rate has no limits here." };
  }
  const limits = ownLimits(picture, label);
  return limits && { text: shareRange(...limits), tone: SAMPLING_TONE };
}

function trueSaid({ evaluation, frame, wanted }: Picture, label: Label): Said {
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  const { lower, upper, sides } = rateAt(label, frame, point);
  return { text: shareLimits(lower, upper, sides), tone: TONES[label] };
}

/**
 * Returns the confidence limits, in the population, of this classifier's rate at a threshold in words. Empty if they
 * are unknown.
 */
function settledText(
  evaluation: Evaluation,
  at: ReturnType<typeof cutsOf>[number],
  label: Label,
  alpha: number,
): string {
  const settled = settledAt(evaluation, at.point, at.threshold);
  if (settled === null) return "";
  const [low, high] = settledRate(settled, label, alpha);
  return label === 1 ? shareRange(low, high) : shareRange(1 - high, 1 - low);
}

/** Returns a sentence on the area and its confidence limits in the population. Empty if the limits are unknown. */
function areaTitle({ auc, area }: Evaluation, alpha: number): string {
  if (!area) return "";
  const limits = areaLimits(auc, area, alpha);
  const text = areaText([auc, ...limits]);
  return `AUC ${text(auc)}, ${limits.map(text).join(" to ")} in all rows like these`;
}

/**
 * Returns the table of several classifiers. They have one common threshold, or each has its own threshold so that all
 * have the same sensitivity.
 */
function several(picture: Picture, width: Width, radios: string, controller: Controller): TemplateResult {
  const { group, frames, frame, page, shown } = picture;
  const isSampling = isSampled(picture);
  const level = percent(1 - frame.alpha);
  const limitsHead = isSampling
    ? html`<th scope="col">${unbroken(`all like these, ${level}`)}</th>`
    : html`<th scope="col">${unbroken(`true risks, ${level}`)}</th>`;
  const tones = isSampling ? ([SAMPLING_TONE, SAMPLING_TONE] as const) : TONES;
  const areaOf = areaText(group.entries.map(({ auc }) => auc));
  const cuts = cutsOf(picture);
  const size = ({ nRows }: Evaluation) =>
    group.kind === "populations"
      ? html` <span class="crw-text-muted crw-unbroken">n = ${count(nRows[0] + nRows[1])}</span>`
      : nothing;
  const row = (entry: Evaluation, i: number) => {
    const rateCells = ([1, 0] as const).map((label) => {
      const { observed, lower, upper, sides } = rateAt(label, frames[i], cuts[i].point);
      const limits = isSampling
        ? settledText(entry, cuts[i], label, frame.alpha)
        : shareLimits(lower, upper, sides);
      return html`<td>${unbroken(share(observed))}</td><td class="crw-text-${tones[label]}">${unbroken(limits)}</td>`;
    });
    // On a wide page, the picker selects an evaluation, so here the name is plain text. On other pages the
    // name is a button that selects the evaluation.
    const name = html`${lineSample(penOf(i, shown))}<span>${unbroken(entry.name)}${size(entry)}</span>`;
    const title = isSampling
      ? areaTitle(entry, frame.alpha)
      : `AUC of an ideal model ${limitsText(...frames[i].auc, aucSides(frames[i]))}`;
    return html`<tr class=${i === shown ? "crw-lead" : ""} title=${title}>
      <th scope="row">${
        width === "wide"
          ? html`<div title=${entry.name}>${name}</div>`
          : html`<label><input type="radio" name=${radios} .checked=${i === shown} @change=${() => controller.show(i)}>${name}</label>`
      }</th>
      <td>${thresholdText(cuts[i].threshold)}</td>
      <td>${areaOf(entry.auc)}</td>
      ${rateCells}
    </tr>`;
  };
  return html`<div class="crw-several ${page.alike ? "crw-alike" : ""}" data-testid="cuts">
    <table aria-label="Rates compared">
      <thead>
        <tr>
          <td colspan=${page.alike ? 3 : 2}>
            <select class="crw-scope" aria-label="Where the curves are cut" .selectedIndex=${page.alike ? 1 : 0}
              @change=${(event: Event) => controller.choosePage({ alike: (event.target as HTMLSelectElement).selectedIndex === 1 })}>
              <option>at the same threshold</option>
              <option>at the same sensitivity</option>
            </select>
          </td>
          <th scope="colgroup" colspan="2" class="crw-text-label1">Sensitivity</th>
          <th scope="colgroup" colspan="2" class="crw-text-label0">Specificity</th>
        </tr>
        <tr>
          ${["", "threshold", "AUC", "here"].map((head) => html`<th scope="col">${head}</th>`)}${limitsHead}
          <th scope="col">here</th>
          ${limitsHead}
        </tr>
      </thead>
      <tbody>${group.entries.map(row)}</tbody>
    </table>
    <p class="crw-footnote" ?hidden=${!page.alike}>${NOTE}</p>
  </div>`;
}
