// The counts and the rates at the threshold; of several classifiers a row each.

import { html as element, setVisible, uniqueId } from "../base/dom.ts";
import {
  areaText,
  count,
  informativeSides,
  limitsText,
  percent,
  range,
  rate,
  shortName,
  thresholdText,
} from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { html, nothing, render, svg, type TemplateResult, unbroken } from "../base/template.ts";
import type { Width } from "../base/width.ts";
import { strokeOf } from "../draw/colour.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { areaLimits } from "../evaluation/estimate.ts";
import { peopleAt } from "../evaluation/horizons.ts";
import { idealLimits } from "../evaluation/ideal_curve.ts";
import { rateAt } from "../evaluation/metrics.ts";
import { settledAt, settledRate } from "../evaluation/settled.ts";
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
import { whisker } from "./whisker.ts";

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
export function createNumbers(controller: Controller): Component {
  const section = element("section", {
    class: "crw-numbers",
    "aria-label": "Test points at the threshold",
  });
  const radios = uniqueId("crw-cut");
  return {
    element: section,
    draw(picture, width) {
      setVisible(section, !isOverview(picture));
      if (isOverview(picture)) return;
      const isSeveral = hasCuts(picture.group);
      render(isSeveral ? several(picture, width, radios, controller) : one(picture, controller), section);
    },
  };
}

const one = (picture: Picture, controller: Controller) =>
  html`<div class="crw-one">${counts(picture, (name) => controller.select(name))}${rates(picture)}</div>`;

/** The table of counts; if the kernel can select rows, each cell is a button that selects its own. */
function counts({ evaluation, frame, wanted, source }: Picture, select: (name: keyof Confusion) => void) {
  const { classes, followed } = evaluation;
  const canSelect = evaluation.selectable && source !== "static";
  const point = followed
    ? peopleAt(evaluation, followed, wanted.threshold)
    : operatingPointAt(evaluation, frame, wanted.threshold);
  const cell = (name: keyof Confusion) => {
    const number = html`<span class="crw-hidden">${NAMES[name]} </span><b>${count(point[name])}</b>`;
    const press = () =>
      html`<button type="button" class="crw-cell" data-testid="select-${name}"
        title="${NAMES[name]}: select these rows in Python" @click=${() => select(name)}>${number}</button>`;
    return html`<td title=${NAMES[name]} class=${CORRECT.includes(name) ? "crw-correct" : ""}>${
      canSelect ? press() : number
    }</td>`;
  };
  const row = (label: Label) => {
    const name = className(label, classes);
    return html`<tr class="crw-label${label}">
      <th scope="row"><b class="crw-class-name crw-cut crw-text-label${label}" title=${name}>${shortName(name)}</b></th>
      ${CELLS[label].map(cell)}
    </tr>`;
  };
  return html`<table class="crw-counts" aria-label="Confusion table">
    <thead><tr>
      <th scope="col"><span class="crw-hidden">Test points</span></th>
      <th scope="col" title="called ${className(1, classes)}">called</th>
      <th scope="col">not called</th>
    </tr></thead>
    <tbody>${LABELS.map(row)}</tbody>
  </table>`;
}

/** A rate's limits in the band of the question. */
interface Range {
  limits: Pair<number>;
  sides: Sides;
  tone: Tone;
}

function rangesOf(picture: Picture): Pair<Range | null> {
  const { evaluation, frame, wanted, band } = picture;
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  if (picture.view === "roc" && band === "none") return [null, null];
  if (isSampled(picture)) {
    const [specificity, sensitivity] = settledRates(picture).map(
      (limits) => limits && { limits, sides: BOTH, tone: SAMPLING_TONE },
    );
    return [specificity, sensitivity];
  }
  if (picture.view === "roc" && band === "ideal") {
    const own = idealCurveOf(picture);
    const limits = own && idealLimits(own, point.fpr);
    return [null, limits && { limits, sides: BOTH, tone: TONES[1] }];
  }
  const rangeOf = (label: Label): Range => {
    const { lower, upper, sides } = rateAt(label, frame, point);
    return { limits: [lower, upper], sides: informativeSides(sides, [lower, upper]), tone: TONES[label] };
  };
  return [rangeOf(0), rangeOf(1)];
}

function rates(picture: Picture) {
  const { frame } = picture;
  const isWeighted = picture.evaluation.followed !== null;
  const weighted = isWeighted ? html`<span class="crw-level">, weighted</span>` : "";
  const [whose, level] = [isSampled(picture) ? "more data" : "ideal", `, ${percent(1 - frame.alpha)}`];
  // If there is little room, the level is left out: the slider of the confidence has it.
  const how = html`<span class=${isSampled(picture) ? "crw-level" : ""}>${unbroken(level)}</span>`;
  const { tpr, fpr } = operatingPointAt(picture.evaluation, frame, picture.wanted.threshold);
  const [specificity, sensitivity] = rangesOf(picture);
  const axis = isCornered(picture) ? UP : UNIT;
  const ends = axis === UP ? axis.map((end) => html`<span>${end}</span>`) : [];
  const row = (name: string, label: Label, value: number, found: Range | null) => {
    const { limits, sides, tone } = found ?? {
      limits: [value, value] as const,
      sides: BOTH,
      tone: TONES[label],
    };
    return html`<tr>
      <th scope="row">${name}</th>
      <td class="crw-observed">${unbroken(rate(value))}</td>
      <td class="crw-bar-cell">${whisker(TONES[label], value, limits, sides, tone, axis)}</td>
      <td class="crw-text-${found?.tone ?? "muted"}">${unbroken(found ? limitsText(...limits, sides) : "")}</td>
    </tr>`;
  };
  return html`<table class="crw-metrics" data-testid="metrics" aria-label="Rates at the threshold">
    <thead><tr>
      <td></td>
      <th scope="col" title=${isWeighted ? "here, weighted" : ""}>here${weighted}</th>
      <td class="crw-bar-cell"><div class="crw-bar-ends crw-text-muted">${ends}</div></td>
      <th scope="col" title=${unbroken(whose + level)}><span>${whose}</span>${how}</th>
    </tr></thead>
    <tbody>${row("Sensitivity", 1, tpr, sensitivity)}${row("Specificity", 0, 1 - fpr, specificity)}</tbody>
  </table>`;
}

/** Limits of a rate at a threshold with more test data, in words; empty where nobody knows them. */
function settledText(
  evaluation: Evaluation,
  at: ReturnType<typeof cutsOf>[number],
  label: Label,
  alpha: number,
): string {
  const settled = settledAt(evaluation, at.point, at.threshold);
  if (settled === null) return "";
  const [low, high] = settledRate(settled, label, alpha);
  return label === 1 ? range(low, high) : range(1 - high, 1 - low);
}

/** Words on the area with more test data, if its limits are known. */
function areaTitle({ auc, area }: Evaluation, alpha: number): string {
  if (!area) return "";
  const limits = areaLimits(auc, area, alpha);
  const text = areaText([auc, ...limits]);
  return `AUC ${text(auc)}, ${limits.map(text).join(" to ")} with more test data`;
}

const OPTIMISTIC =
  "Thresholds found on these test points are optimistic: the limits are promised for one drawn at random.";

/** Several classifiers at their thresholds: the same one, or those at which they are equally sensitive. */
function several(picture: Picture, width: Width, radios: string, controller: Controller): TemplateResult {
  const { group, frames, frame, page, shown } = picture;
  const isSampling = isSampled(picture);
  const level = percent(1 - frame.alpha);
  const limitsHead = isSampling
    ? html`<th scope="col" title=${unbroken(`with much more test data, ${level}`)}>more data</th>`
    : html`<th scope="col">${unbroken(`ideal, ${level}`)}</th>`;
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
        : limitsText(lower, upper, sides);
      return html`<td>${unbroken(rate(observed))}</td><td class="crw-text-${tones[label]}">${unbroken(limits)}</td>`;
    });
    // If there is room, another control chooses which one is looked at.
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
    <p class="crw-footnote" ?hidden=${!page.alike}>${OPTIMISTIC}</p>
  </div>`;
}

/** A piece of the line of one of several, beside its name. */
function lineSample(look: Pen) {
  const { stroke, "stroke-width": width, "stroke-dasharray": dashes } = strokeOf(look);
  return svg`<svg aria-hidden="true" width="22" height="10">
    <path d="M0 5H22" stroke=${stroke} stroke-width=${width} stroke-dasharray=${dashes}></path>
  </svg>`;
}
