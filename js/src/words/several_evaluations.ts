// Texts about several evaluations, and about one among them.

import { count, limitsText, percent, range, rate, signed, thresholdText } from "../base/format.ts";
import { normalLimits } from "../base/normal.ts";
import type { Pair } from "../base/pair.ts";
import { alphaScale } from "../base/scale.ts";
import type { Width } from "../base/width.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { type Gap, gapsAt } from "../evaluation/gaps.ts";
import { residualsNeeded } from "../evaluation/quantiles.ts";
import type { Evaluation, Group, Label, OrderStatistic, Words } from "../evaluation/types.ts";
import { hasLimits, sidesOf } from "../evaluation/vacuous.ts";
import { drawnComparators, isCompared, limitsAt, TRUTH } from "../sync/comparators.ts";
import { averageOf, readingOf, widthTexts } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { IDEAL_TITLE, idealSentence, idealWords } from "./ideal.ts";
import { labelsOf, levelText, modelOf, reach, sentence, title } from "./one_evaluation.ts";
import { rankingSentence } from "./ranking.ts";
import { recalibrationSentence } from "./recalibration.ts";
import { comparatorTone, plain, type Run, strong, type Tone } from "./runs.ts";
import { useWords, viewLegend, viewSentence, viewTitle } from "./views.ts";

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

const NOUNS = {
  single: ["evaluation", "evaluations"],
  classes: ["class", "classes"],
  classifiers: ["classifier", "classifiers"],
  bands: ["band", "bands"],
  populations: ["population", "populations"],
  folds: ["fold", "folds"],
} as const;

/** The noun for an entry. */
export const nounOfKind = (group: Group) => NOUNS[group.kind][0];

const number = ({ entries }: Group) => NUMBERS[entries.length] ?? count(entries.length);

const several = (group: Group) => `${number(group)} ${NOUNS[group.kind][group.entries.length === 1 ? 0 : 1]}`;

/** A class that is called by a number needs its noun before it. */
export function entryName({ kind }: Group, { name }: Evaluation): string {
  if (!/^-?[\d.]+$/.test(name)) return name;
  return kind === "classes" ? `Class ${name}` : kind === "folds" ? `Fold ${name}` : name;
}

export function titleOf(picture: Picture, width: Width): string {
  const { group, shown, frame, band, evaluation, ideal } = picture;
  if (picture.view !== "roc") {
    const own = viewTitle(picture.view);
    return group.kind === "single" ? own : `${entryName(group, evaluation)}: ${own}`;
  }
  if (ideal !== null)
    return group.kind === "single" ? IDEAL_TITLE : `${entryName(group, evaluation)}: ${IDEAL_TITLE}`;
  if (isCompared(picture) && width !== "narrow") return `ROC curve with ${percent(1 - frame.alpha)} bands`;
  if (group.kind === "single" && evaluation.simultaneous) return "ROC curve from scores alone";
  if (group.kind === "single") return title(frame.alpha, band, width === "narrow");
  const level = percent(1 - frame.alpha);
  if (shown === null) {
    if (group.kind === "bands") {
      return width === "wide"
        ? `ROC curve with ${number(group)} ${level} conformal bands`
        : `ROC curve, ${level} bands`;
    }
    return width === "wide"
      ? `ROC curves of ${several(group)} with ${level} conformal bands`
      : `ROC curves, ${level} bands`;
  }
  const name = entryName(group, evaluation);
  const bands = band === "both" ? "bands" : "band";
  if (width === "narrow") return `${name}, ${level} ${bands}`;
  return `${name}${group.kind === "classes" ? " against the rest" : ""}, ${level} conformal ${bands}`;
}

/** Title and sentence of the view. */
export function wordsOf(picture: Picture): { title: string; sentence: string } {
  return {
    title: titleOf(picture, "wide"),
    sentence: sentenceOf(picture)
      .map(({ text }) => text)
      .join(""),
  };
}

export function sentenceOf(picture: Picture): Run[] {
  const { evaluation, shown, ideal } = picture;
  if (picture.view !== "roc") return viewSentence(picture, picture.view);
  if (shown === null) return overviewSentence(picture);
  if (ideal !== null) return idealSentence(evaluation, ideal);
  return [...rocSentence(picture), ...useWords(picture)];
}

/** The sentence of the ROC curve on both rates, at the confidence at which most limits are missing. */
export function longestSentence(picture: Picture): string {
  const { evaluation, frame } = picture;
  const alpha = alphaScale.min;
  const { both } = residualsNeeded(alpha, evaluation.rule);
  const lacking = ([lower, upper]: Pair<OrderStatistic>, label: Label): Pair<OrderStatistic> =>
    evaluation.nCalibration[label] < both
      ? [{ ...lower, residual: Number.NEGATIVE_INFINITY }, upper]
      : [lower, upper];
  const known = frame.orderStatistics;
  const worst = known && {
    alpha,
    orderStatistics: [lacking(known[0], 0), lacking(known[1], 1)] as const,
  };
  return wordsOf({ ...picture, view: "roc", ideal: null, band: "both", frame: { ...frame, ...worst } })
    .sentence;
}

function rocSentence(picture: Picture): Run[] {
  const { evaluation, frame, band } = picture;
  if (evaluation.simultaneous && !isCompared(picture))
    return recalibrationSentence(evaluation, frame, labelsOf(band));
  return comparedSentence(picture) ?? sentence(evaluation, frame, band);
}

/** Of the sensitivity, where another band is on the plot: what each of the two bounds. */
function comparedSentence(picture: Picture): Run[] | null {
  const { evaluation, frame, band, page } = picture;
  const other = drawnComparators(picture).find(
    ({ item, isOther }) => !isOther && item.key !== TRUTH && !page.hidden.includes(item.key),
  );
  const isLocal = frame.local !== null && frame.kind !== "everywhere";
  if (!other || band !== "sensitivity" || isLocal) return null;
  const { tpr, fpr, tprLower, tprUpper } = frame.point;
  const between = (lower: number, upper: number, tone: Tone) =>
    strong(`between ${rate(lower)} and ${rate(upper)}`, tone);
  const sides = sidesOf(frame, 1);
  const isWhole = sides[0] && sides[1];
  const ideal = hasLimits(frame, 1) ? limitsText(tprLower, tprUpper, sides) : "anything";
  return [
    plain(`At threshold ${thresholdText(frame.threshold)} the sensitivity is `),
    strong(rate(tpr)),
    plain(` at false positive rate ${rate(fpr)}. It would ${isWhole ? "lie" : "be"} `),
    isWhole ? between(tprLower, tprUpper, "label1") : strong(ideal, "label1"),
    plain(
      ` for ${modelOf(frame)} at the same threshold on these ${testPoints(evaluation)} (${levelText(frame)}), and `,
    ),
    between(...limitsAt(other, fpr), comparatorTone(other.item.key)),
    plain(` for this classifier in the population (${percent(1 - frame.alpha)}, ${other.item.name}).`),
  ];
}

function overviewSentence(picture: Picture): Run[] {
  const { kind } = picture.group;
  if (kind === "classes") return classesSentence(picture);
  if (kind === "folds") return foldsSentence(picture);
  return kind === "populations" ? populationsSentence(picture) : classifiersSentence(picture);
}

const testPoints = ({ nTest }: Evaluation) => `${count(nTest[0] + nTest[1])} test points`;

function classesSentence(picture: Picture): Run[] {
  const { group, frame, weights } = picture;
  const { fpr, tpr, tprLower, tprUpper } = readingOf(picture);
  const how = weights === "size" ? "weighted by size" : "with equal weights";
  const level = percent(1 - frame.alpha);
  return [
    plain(
      `At threshold ${thresholdText(frame.threshold)} the ${several(group)}, ${how}, average a sensitivity of `,
    ),
    strong(rate(tpr)),
    plain(
      ` and a false positive rate of ${rate(fpr)} on these ${testPoints(group.entries[0])}. Averaged limits for `,
    ),
    plain(`an ideal model’s sensitivity (${level}): `),
    strong(`${rate(tprLower)} to ${rate(tprUpper)}`, "label1"),
    plain("."),
  ];
}

/** More classifiers than this are not named one by one. */
const MOST_NAMED = 3;

function classifiersSentence(picture: Picture): Run[] {
  const { group, frame } = picture;
  const level = percent(1 - frame.alpha);
  const { widths, texts } = widthTexts(picture);
  const bands = group.entries
    .map(({ name }, i) => ({ name, width: widths[i] ?? Number.NaN, text: texts[i] }))
    .filter(({ text }) => text !== null)
    .sort((a, b) => a.width - b.width);
  const ranking = rankingSentence(picture);
  const on = `On these ${testPoints(group.entries[0])}, `;
  const [narrowest, ...others] = bands;
  if (!narrowest)
    return [...ranking, plain(`${on}no ${nounOfKind(group)} has limits at ${level} confidence.`)];
  if (others.length === 0) {
    return [
      ...ranking,
      plain(`${on}only `),
      strong(narrowest.name),
      plain(` has limits at ${level} confidence.`),
    ];
  }
  const separator = (i: number) => (i === 0 ? "" : i === others.length - 1 ? " and " : ", ");
  const last = others[others.length - 1];
  const against =
    others.length > MOST_NAMED
      ? `${others[0].text} to ${last.text} for the others`
      : others.map(({ name, text }, i) => `${separator(i)}${text} for ${name}`).join("");
  const comparison = [
    ...ranking,
    plain(`${on}the ${level} conformal band is narrowest for `),
    strong(narrowest.name),
    plain(": "),
    strong(`${narrowest.text}`),
    plain(` on average, against ${against}`),
  ];
  // Bands around one curve promise different things: the legend says which.
  if (group.kind === "bands") return [...comparison, plain(".")];
  return [
    ...comparison,
    plain(". Each is for an ideal model’s sensitivity, at the same threshold on the same points "),
    plain(`(${levelText(frame)}).`),
  ];
}

/** The mean area with its limits, and the pooled curve with its caveat. */
function foldsSentence({ group, wanted }: Picture): Run[] {
  const { mean = null, sd = null, auc = 0 } = group.folds ?? {};
  const level = percent(1 - wanted.alpha);
  const areas =
    mean === null || sd === null
      ? []
      : [
          plain(`Over ${several(group)} the mean area under the curve is `),
          strong(rate(mean)),
          plain(", "),
          strong(range(...normalLimits(mean, sd, wanted.alpha, [0, 1]))),
          plain(` for these classifiers in the population (${level} in large samples, LeDell and others; `),
          plain("how much another training set would change them is left out). "),
        ];
  return [
    ...areas,
    plain(`The pooled curve, AUC ${rate(auc)}, mixes the scores of different classifiers: `),
    plain("where these are not on one scale, it lies below all of theirs."),
  ];
}

/** Each population's sensitivity, and the widest gap between two of them. */
function populationsSentence({ group, frames, wanted }: Picture): Run[] {
  const { threshold, alpha } = wanted;
  const names = group.entries.map(({ name }) => name);
  const rates = group.entries.map((entry, i) => operatingPointAt(entry, frames[i], threshold).tpr);
  const at = (i: number) => [strong(rate(rates[i])), plain(` for ${names[i]}`)];
  const separator = (i: number) => plain(i === 0 ? "" : i === rates.length - 1 ? " and " : ", ");
  const order = rates.map((_, i) => i).sort((i, j) => rates[i] - rates[j]);
  const start = `At threshold ${thresholdText(threshold)} the sensitivity `;
  const runs =
    rates.length > MOST_NAMED
      ? [plain(`${start}runs from `), ...at(order[0]), plain(" to "), ...at(order[order.length - 1])]
      : [plain(`${start}is `), ...rates.flatMap((_, i) => [separator(i), ...at(i)])];
  const gaps = gapsAt(group, frames, alpha, threshold).tpr;
  if (gaps.length === 0) return [...runs, plain(".")];
  const widest = gaps.reduce((best, gap) =>
    Math.abs(gap.difference) > Math.abs(best.difference) ? gap : best,
  );
  const [a, b] = widest.pair.map((i) => names[i]);
  return [
    ...runs,
    plain(`; ${a} less ${b}: `),
    strong(signed(widest.difference)),
    plain(`, and for ${modelOf(frames[0])}, at the same threshold, `),
    ...gapLimits(widest),
    plain(` (${percent(1 - alpha)} for all gaps together, for a threshold picked blindly).`),
  ];
}

function gapLimits({ limits }: Gap): Run[] {
  if (limits === null) return [plain("what Populations.gap says")];
  const [lower, upper] = limits;
  return [strong(limitsText(lower, upper, [lower > -1, upper < 1]), "label1")];
}

/** Target, scope and guarantee of what is shown, and how far the points reach beyond what it leans on. */
export function legendOf(picture: Picture): Record<"target" | "scope" | "guarantee" | "reach", string> {
  const { evaluation, frame, shown, ideal } = picture;
  if (picture.view !== "roc")
    return { ...viewLegend(picture, picture.view), reach: reach(evaluation, frame) };
  if (shown === null) return { ...overviewLegend(picture), reach: "" };
  if (typeof ideal === "string") return { target: "", scope: "", guarantee: "", reach: "" };
  if (ideal !== null) return { ...idealWords(ideal), reach: "" };
  const { target, scope, guarantee } = frame;
  return { target, scope, guarantee, reach: reach(evaluation, frame) };
}

/** Once where all the classifiers share it, and else of each. */
export function statementOf(picture: Picture, what: keyof Words): string {
  const { group, shown, frame, frames } = picture;
  if (picture.view !== "roc") return viewLegend(picture, picture.view)[what];
  const texts = frames.map((each) => each[what]);
  if (shown !== null || group.kind === "classes" || new Set(texts).size === 1) return frame[what];
  return texts.map((text, i) => `${entryName(group, group.entries[i])}: ${text}`).join("; ");
}

function overviewLegend(picture: Picture): Words {
  const { group, frame } = picture;
  if (group.kind !== "classes") {
    return {
      target: statementOf(picture, "target"),
      scope: `${statementOf(picture, "scope")}${group.kind === "bands" ? "" : `; one ${nounOfKind(group)} at a time`}`,
      guarantee: statementOf(picture, "guarantee"),
    };
  }
  const { withoutLimits } = averageOf(picture);
  const names = withoutLimits.map((i) => entryName(group, group.entries[i])).join(", ");
  return {
    target: `each class against the rest: ${frame.target}`,
    scope: `${frame.scope}; one class at a time`,
    guarantee: `${frame.guarantee}, for each class; the average has none of its own${
      names ? ` (without limits, and counted as 0 to 1: ${names})` : ""
    }`,
  };
}
