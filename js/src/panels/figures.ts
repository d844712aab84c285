// Makes the part "All figures", which the user can open: tables of figures, the undecided test points, and
// metrics for the place where the classifier will be used.

import { html as element, fold, listen, setVisible } from "../base/dom.ts";
import {
  areaText,
  capital,
  count,
  fixed,
  limitsText,
  percent,
  range,
  rate,
  share,
  shareLimits,
  shareNumber,
  shareRange,
  signed,
  significance,
  thresholdText,
} from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { tableRows } from "../base/table.ts";
import { html, nothing, render, unbroken } from "../base/template.ts";
import { words } from "../base/words.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { limitsOf, lossNote, type MeanLoss } from "../evaluation/estimate.ts";
import { isForEveryThreshold } from "../evaluation/everywhere.ts";
import { exactLimits } from "../evaluation/exact_limits.ts";
import type { Gap } from "../evaluation/gaps.ts";
import { idealMetrics, type Metric, metricsOf } from "../evaluation/metrics.ts";
import type { Frame, OperatingPoint } from "../evaluation/types.ts";
import { isLocalized, sidesOf } from "../evaluation/vacuous.ts";
import { type DrawnComparator, drawnComparators, limitsAt, statementAt } from "../shown/comparators.ts";
import { gapsOf } from "../shown/gaps.ts";
import { goalAtThreshold, isBare } from "../shown/goal.ts";
import { isAnyLook } from "../shown/looks.ts";
import { ownLimits } from "../shown/own_limits.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { idealCurveOf } from "../shown/picture.ts";
import { isSampled, sampledArea } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { ownAverage, ownBenefit, ownPrecision } from "../views/settled.ts";
import type { Comparator } from "../wire/decode_comparators.ts";
import { nameInLine } from "../words/answer.ts";
import { goalLimit } from "../words/goal.ts";
import { className } from "../words/one_evaluation.ts";
import { sentenceOf } from "../words/promise.ts";
import { differenceRange, gapText, pairLimits } from "../words/ranking.ts";
import { isOverview } from "./panel.ts";
import { createUndecided } from "./undecided.ts";
import { createUsePanel } from "./use.ts";

const NAMES: Record<Metric["name"], string> = {
  sensitivity: "Sensitivity",
  specificity: "Specificity",
  precision: "Precision*",
  youden: "Youden’s J*",
  auc: "AUC*",
  gain: "Gain left",
  net_benefit: "Net benefit",
  average_precision: "Average precision",
};

const FOOTNOTES = [
  `* ${words("answer.no_guarantee")}`,
  "* From both limits, which hold together: at the same level.",
];

export function createFigures(controller: Controller, redraw: () => void, signal: AbortSignal): Component {
  const undecided = createUndecided(redraw);
  const use = createUsePanel(controller, signal);
  const body = element("div", { class: "crw-all-body" });
  const all = fold("All figures", { class: "crw-all", "data-testid": "all-figures" }, body);
  listen(all, "toggle", signal, redraw);
  return {
    element: all,
    draw(picture, width) {
      // Without labels, there are no further figures: even the precision needs to know which rows are
      // positive.
      const isThere = !isOverview(picture) && !isBare(picture) && picture.evaluation.unlabelled === null;
      setVisible(all, isThere);
      if (!all.open || !isThere) return;
      for (const fold of [undecided, use]) fold.draw(picture, width);
      render(html`<div>${tables(picture)}</div><div>${undecided.element}${use.element}</div>`, body);
    },
  };
}

function tables(picture: Picture) {
  const { comparators, evaluation, frame, group } = picture;
  const table = (name: string, label: string, rowsOf: (picture: Picture) => string[][]) =>
    html`<table class="crw-figures" data-testid=${name} aria-label=${label}>${tableRows(rowsOf(picture))}</table>`;
  return html`
    ${table("figures", "All figures", figureRows)}
    ${isSampled(picture) ? nothing : footnote(FOOTNOTES[isForEveryThreshold(frame) ? 1 : 0])}
    ${evaluation.losses ? table("losses", "Losses", lossRows) : nothing}
    ${evaluation.losses ? footnote(notesOnLosses(evaluation.losses, evaluation.margins)) : nothing}
    ${comparators.items.length > 0 ? table("bands", "Bands compared", bandRows) : nothing}
    ${comparators.pairs.length > 0 ? table("paired", "Paired differences", pairedRows) : nothing}
    ${group.kind === "populations" ? table("gaps", "Gaps", gapRows) : nothing}`;
}

const footnote = (text: string) =>
  text === "" ? nothing : html`<p class="crw-footnote">${unbroken(text)}</p>`;

const moreData = ({ alpha }: Frame) => `all like these, ${percent(1 - alpha)}`;

/**
 * Returns figures of this classifier with their confidence limits in the population. The limits of rates come
 * from `ownLimits`, and those of the area from `sampledArea`.
 */
function sampledMetrics(picture: Picture, { tpr, fpr, precision }: OperatingPoint): Metric[] {
  const [specificity, sensitivity] = ([0, 1] as const).map((label) => ownLimits(picture, label));
  const metric = (name: Metric["name"], observed: number | null, limits: Pair<number> | null): Metric => ({
    ...{ name, observed, range: limits ?? [0, 1], scale: [0, 1] },
    sides: limits ? [true, true] : [false, false],
  });
  const [benefit, average] = [ownBenefit(picture), ownAverage(picture)];
  return [
    metric("sensitivity", tpr, sensitivity),
    metric("specificity", 1 - fpr, specificity),
    metric("precision", precision, precision === null ? null : ownPrecision(picture)),
    ...(benefit ? [metric("net_benefit", benefit.observed, benefit.limits)] : []),
    metric("auc", picture.evaluation.auc, sampledArea(picture)),
    metric("average_precision", average.observed, average.limits),
  ];
}

/** Returns the function that writes a figure. A net benefit and an area near 1 have three decimals. */
const textOf = (name: Metric["name"], limits: Pair<number>, observed: number | null) =>
  name === "net_benefit"
    ? (value: number) => fixed(value, 3)
    : name === "auc" && isInformative(limits)
      ? areaText([...limits, observed ?? 0])
      : isRate(name)
        ? share
        : rate;

/** Whether a figure is written in percent. */
const isRate = (name: Metric["name"]) => ["sensitivity", "specificity", "precision"].includes(name);

/** Whether the limits of an area say more than that it is from 0 to 1. */
const isInformative = ([low, high]: Pair<number>) => low > 0 && high < 1;

function figureRows(picture: Picture): string[][] {
  const { evaluation, frame, wanted } = picture;
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  const own = idealCurveOf(picture);
  const isSampling = isSampled(picture);
  const metrics = isSampling
    ? sampledMetrics(picture, point)
    : own
      ? idealMetrics(own, evaluation.auc, point)
      : metricsOf(evaluation, frame, point);
  const { nRows, classes } = evaluation;
  const goal = isSampling ? goalAtThreshold(picture) : null;
  return [
    ["", "here", isSampling ? moreData(frame) : `true risks, ${percent(1 - frame.alpha)}`],
    ...metrics.map(({ name, observed, range: limits, sides, scale }) => [
      own || isSampling ? NAMES[name].replace("*", "") : NAMES[name],
      observed === null
        ? name === "gain"
          ? ""
          : "none called positive"
        : textOf(name, limits, observed)(observed),
      // If rows have weights or groups, limits come only from resampling. Resampling gives limits for only
      // some figures, at only some confidences.
      goal?.rate === name
        ? goalLimit(goal.least)
        : isSampling && !sides[0]
          ? words(isAnyLook(picture) ? "say.not_at_looks" : "say.not_known")
          : limitsText(...limits, sides, scale, textOf(name, limits, observed)),
    ]),
    ...([1, 0] as const).map((label) => [
      `Rows, ${nameInLine(className(label, classes))}`,
      count(nRows[label]),
      `limits rest on ${isLocalized(frame) ? "at most " : ""}${count(evaluation.nCalibration[label])}`,
    ]),
  ];
}

/** Returns table rows for accuracy, Brier score and log loss, with their confidence limits in the population. */
function lossRows(picture: Picture): string[][] {
  const { evaluation, frame, wanted } = picture;
  const { tp, fp, tn, fn } = operatingPointAt(evaluation, frame, wanted.threshold);
  const [right, all] = [tp + tn, tp + tn + fp + fn];
  const goal = goalAtThreshold(picture);
  const none = words("say.not_at_looks");
  const row = (loss: MeanLoss) => {
    const scale = [0, loss.scale === "log" ? Number.POSITIVE_INFINITY : 1] as const;
    if (isAnyLook(picture)) return [capital(loss.name), three(loss.value), none];
    const limits = limitsText(...limitsOf(loss, frame.alpha), TWO_SIDES, scale, three);
    return [capital(loss.name), three(loss.value), limits];
  };
  return [
    ["This classifier", "here", moreData(frame)],
    [
      `Accuracy at ${thresholdText(wanted.threshold)}`,
      share(right / all),
      goal?.rate === "accuracy"
        ? goalLimit(goal.least)
        : evaluation.weighted
          ? "see losses()"
          : isAnyLook(picture)
            ? none
            : shareRange(...exactLimits(right, all, frame.alpha)),
    ],
    ...(evaluation.losses ?? []).map(row),
  ];
}

const TWO_SIDES: Pair<boolean> = [true, true];
const three = (value: number) => fixed(value, 3);

const notesOnLosses = (losses: readonly MeanLoss[], areMargins: boolean): string =>
  [...losses.map(lossNote), areMargins ? words("answer.margins") : ""]
    .filter((note) => note !== "")
    .join(" ");

/** Returns a table row for each band around one curve, read at the operating point. */
function bandRows(picture: Picture): string[][] {
  const { evaluation, frame, comparators } = picture;
  const { tprLower, tprUpper } = frame.point;
  const drawn = drawnComparators(picture);
  const limits = evaluation.area?.variance ? sampledArea(picture) : null;
  const area = evaluation.weighted ? "AUC" : "AUC, DeLong";
  return [
    ["Band", "sensitivity", "promise"],
    ["Conformal, at this threshold", shareLimits(tprLower, tprUpper, sidesOf(frame, 1)), frame.guarantee],
    ...comparators.items.map((item) =>
      bandRow(
        item,
        drawn.find((one) => one.item === item),
        picture,
      ),
    ),
    ...(limits
      ? [
          [
            area,
            range(...limits),
            `${percent(1 - frame.alpha)} in large samples${isAnyLook(picture) ? ", at every look" : ""}`,
          ],
        ]
      : []),
  ];
}

function bandRow(item: Comparator, drawn: DrawnComparator | undefined, picture: Picture): string[] {
  if (!drawn) return [item.name, stateWords(item), ""];
  const { words, notes } = statementAt(item, drawn.lines);
  const at = drawn.isOther ? ` at α = ${significance(drawn.lines.alpha)}` : "";
  const limits = shareRange(...limitsAt(drawn, picture.frame.point.fpr)) + at;
  return [`${item.name}, at this FPR`, limits, [sentenceOf(words.line), ...notes].join(" ")];
}

function stateWords({ status, done, total, message }: Comparator): string {
  if (status === "working") return total > 0 ? `${count(done)} of ${count(total)}` : "at work";
  return status === "failed" ? `It could not be computed: ${message ?? "no reason was given"}` : "";
}

/**
 * Returns a table row for each difference between two AUCs on the same points, by DeLong's test. Its limits hold for
 * all differences together.
 */
function pairedRows({ comparators: { pairs }, wanted }: Picture): string[][] {
  const rows = pairs.map((test) => {
    const limits = pairLimits(test, pairs.length, wanted.alpha);
    const { z, p } = test;
    return [
      `${nameInLine(test.a)} − ${nameInLine(test.b)}`,
      signed(test.difference, 3),
      limits ? differenceRange(limits) : "none",
      z === null ? "none" : signed(z),
      p === null ? "none" : p < 0.001 ? "< 0.001" : fixed(p, 3),
    ];
  });
  return [
    ["DeLong, paired", "AUC difference", percent(1 - wanted.alpha), "z", pairs.length > 1 ? "p, Holm" : "p"],
    ...rows,
  ];
}

/**
 * Returns a table row for each difference of a rate between two populations. Its limits hold for all differences
 * together.
 */
function gapRows(picture: Picture): string[][] {
  const { group, wanted } = picture;
  const { tpr, fpr } = gapsOf(picture);
  const rowsOf = (gaps: Gap[], rate: string) =>
    gaps.map(({ pair: [a, b], difference, limits, sides }) => [
      `${nameInLine(group.entries[a].name)} − ${nameInLine(group.entries[b].name)}, ${rate}`,
      (difference > 0 ? "+" : "") + shareNumber(difference),
      limits === null ? "not on this page" : gapText(limits, sides, shareNumber),
    ]);
  return [
    [
      "Gap, in percentage points",
      "here",
      `${isSampled(picture) ? "all like these" : "true risks"}, ${percent(1 - wanted.alpha)} together`,
    ],
    ...rowsOf(tpr, "sensitivity"),
    ...rowsOf(fpr, words("axis.specificity")),
  ];
}
