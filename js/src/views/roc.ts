// Draws the ROC curve with its conformal bands, comparators, line of equal cost, and arc.

import { dashes } from "../../../conformal_roc_widget/shown/theme.json";
import { areaText, capital, informativeSides, share, shareLimits, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import { words } from "../base/words.ts";
import { arcOf } from "../evaluation/arc.ts";
import { horizonText } from "../evaluation/horizons.ts";
import { nearestVertex, observedCurve } from "../evaluation/observed_curve.ts";
import { type Evaluation, type Followed, type Frame, LABELS, type Label } from "../evaluation/types.ts";
import { leastCost } from "../evaluation/use_metrics.ts";
import { pointsLacking, type Sides, sidesOf } from "../evaluation/vacuous.ts";
import { type Area, lengthOf, type Mark, type Points, type Reading, type Text } from "../scene.ts";
import { laidComparators, samplingBand } from "../shown/comparators.ts";
import { hasCuts } from "../shown/cuts.ts";
import { isAnyLook } from "../shown/looks.ts";
import type { Picture } from "../shown/picture.ts";
import { sampledArea } from "../shown/sampled_area.ts";
import {
  type Answer,
  byLabel,
  given,
  labelAsked,
  limitsWords,
  nameInLine,
  sentence,
  sureWords,
} from "../words/answer.ts";
import { isNumber, labelsOf, nounOf, pointValueText, prevalenceOf, rateOf } from "../words/one_evaluation.ts";
import { withReach } from "../words/promise.ts";
import { rowsOf as namesOfRows } from "../words/rows.ts";
import { runs } from "../words/runs.ts";
import { verdictWords } from "../words/verdict.ts";
import { goalMarks } from "./goal.ts";
import { boxesOf, type Named, named, SIDE } from "./names.ts";
import { otherMarks } from "./others.ts";
import { ownArea, ownCross } from "./own.ts";
import * as parts from "./parts.ts";
import { rowsOf, type Switch, type View } from "./view.ts";

/**
 * Returns the axes, with both rates in percent. Titles contain the user's name of the positive class, unless it is only
 * a number.
 */
export function rocAxes(
  classes: readonly string[] = [],
  followed: Followed | null = null,
): ReturnType<View["axes"]> {
  const across = { title: words("axis.false_alarms"), ends: parts.UNIT, isPercent: true };
  const up = (title: string) => ({ title, ends: parts.UNIT, isPercent: true });
  if (followed !== null) return { across, up: up(words("axis.found_by", { time: horizonText(followed) })) };
  const name = classes[1] ?? "";
  if (name === "" || isNumber(name)) return { across, up: up(words("axis.sensitivity")) };
  return { across, up: up(words("axis.found", { name: shortName(name, MOST_LETTERS) })) };
}

/** The largest number of letters of a class name on an axis. */
const MOST_LETTERS = 24;

/** The line of chance, with its name along it. */
export const CHANCE: Mark[] = [
  parts.baseline(parts.pointsOf(parts.UNIT, parts.UNIT), ""),
  {
    ...{ kind: "text", id: "chance", text: words("key.chance"), x: 0.7, y: 0.7, dx: 0, dy: -5 },
    ...{ anchor: "middle", bold: false, colour: "muted", angle: -45 },
  },
];
const SAME_COST = parts.pen("ink", 1.25, ...dashes.same_cost);
const DIAMOND = parts.pen("ink");
const ARC = parts.pen("ink", 6);
/** The pen of the arc if the labels contradict the assumption that P(y = 1 | score) never falls as the score rises. */
const REFUTED = parts.pen("ink", 6, ...dashes.refuted);
const RING = parts.pen("ink", 2);
const LIMITS_LINE = 1.5;

export const ROC: View = {
  axes: ({ evaluation }) => rocAxes(evaluation.classes, evaluation.followed),
  marks: (picture) =>
    rocMarks(picture, {
      labels: labelsOf(picture.band),
      bands: trueRiskBands(picture),
      below: comparatorMarks(picture),
      above: picture.shown === null ? [] : ownCross(picture, "own"),
    }),
  answer: sameThresholdAnswer,
  promise: (picture) => withReach(picture, picture.frame),
  numbers: ({ evaluation: { thresholds, fpr, tpr }, frame: { limits } }) => ({
    columns: ["threshold", "fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"],
    rows: rowsOf(thresholds, fpr, tpr, limits.fprLower, limits.fprUpper, limits.tprLower, limits.tprUpper),
  }),
  spoken: ({ frame }) => pointValueText(frame),
  reading: (picture, x, y) => rateReading(picture, x, y, limitsAtVertices),
  track: ({ evaluation }) => observedCurve(evaluation),
  switches(picture) {
    const isArc = showsArc(picture);
    const arc = { id: "arc", name: "arc", text: words("key.recalibrated"), isOn: isArc };
    const rates = LABELS.map((label): Switch => {
      const noun = nounOf(label);
      const isOn = !isArc && labelsOf(picture.band).includes(label);
      return { id: `band-${noun}`, name: noun, text: rateKey(picture.evaluation, label), isOn };
    });
    return [...(picture.evaluation.simultaneous ? [arc] : []), ...rates, ...comparatorSwitches(picture)];
  },
};

/**
 * Returns the conformal bands with their names and, inside them, the thin band of this classifier in the population.
 */
function trueRiskBands(picture: Picture): Named[] {
  const { frame, noun, band } = picture;
  const isArc = showsArc(picture);
  const sampled = samplingBand(picture);
  // The thin band is that of a comparator. If the user asked for this comparator (`isLaid`), it is drawn
  // under its own name, so the thin band is left out here.
  const own =
    sampled && !sampled.item.isLaid
      ? [
          {
            area: ownArea("own-limits", words("key.like_these", { noun }), sampled),
            lines: words("name.classifier", { noun }).split("\n"),
          },
        ]
      : [];
  const ideal = frame.model === "recalibration" ? "name.score_risks" : "name.true_risks";
  const name = picture.evaluation.unlabelled ? "name.labels" : ideal;
  const labels = isArc ? [] : labelsOf(band);
  const bands = labels.map((label) => ({
    area: limitsOf(picture, label),
    lines: (labels.length > 1
      ? words("name.of_rate", { name: words(name, { noun }), rate: nounOf(label) })
      : words(name, { noun })
    ).split("\n"),
  }));
  return [...bands, ...own];
}

/** Writes the limits of a label's rate at a vertex. Empty if no limits are drawn. */
type LimitsAt = (frame: Frame, label: Label, vertex: number) => string;

const limitsAtVertices: LimitsAt = (frame, label, i) => {
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.limits;
  const [lower, upper] = label === 1 ? [tprLower, tprUpper] : [fprLower, fprUpper];
  return label === 1
    ? shareLimits(lower[i], upper[i], sidesOf(frame, 1))
    : shareLimits(1 - upper[i], 1 - lower[i], flipped(sidesOf(frame, 0)));
};

const flipped = ([lower, upper]: Sides): Sides => [upper, lower];

/**
 * Returns both rates at the vertex nearest to a position, among all drawn curves. If there are several curves, the
 * title names the curve.
 */
export function rateReading(picture: Picture, x: number, y: number, limitsAt: LimitsAt): Reading {
  const { group, frames, evaluation, shown } = picture;
  const drawn = hasCuts(group) ? group.entries.map((_, i) => i) : [shown ?? 0];
  const found = drawn.map((at) => {
    const curve = observedCurve(group.entries[at]);
    const i = nearestVertex(curve, x, y);
    return { at, i, curve, away: Math.hypot(curve.x[i] - x, curve.y[i] - y) };
  });
  // If several curves are equally near to the pointer, the curve of the selected evaluation is taken.
  const own = found.find(({ at }) => group.entries[at] === evaluation) ?? found[0];
  const { at, i, curve } = found.reduce((best, each) => (each.away < best.away ? each : best), own);
  const threshold = words("corner.threshold", { threshold: group.entries[at].thresholds[i] });
  const limits = (label: Label) => limitsAt(frames[at], label, i);
  return {
    x: curve.x[i],
    y: curve.y[i],
    title: drawn.length > 1 ? `${nameInLine(group.entries[at].name)}, ${threshold}` : threshold,
    rows: [
      {
        text: `${capital(words("rate.sensitivity"))} ${share(curve.y[i])}`,
        limits: limits(1),
        tone: "label1",
      },
      {
        text: `${capital(words("rate.specificity"))} ${share(1 - curve.x[i])}`,
        limits: limits(0),
        tone: "label0",
      },
    ],
  };
}

/**
 * Whether an ideal recalibration is drawn as an arc along the curve, instead of a band at fixed thresholds.
 * An ideal recalibration replaces each score by P(y = 1 | score).
 */
const showsArc = ({ evaluation, shown, group, page }: Picture) =>
  evaluation.simultaneous && (shown !== null || group.kind === "single") && page.arc;

/**
 * Whether the drawn limits are conformal. The band "sampling", the reliability view and the ideal model's own ROC curve
 * have other limits. The band "none" has none.
 */
export const showsConformal = ({ view, band }: Picture) =>
  view !== "reliability" && band !== "sampling" && (view !== "roc" || (band !== "ideal" && band !== "none"));

/** Writes the main rate on these rows, and the limits for the true risks at the same threshold. */
function sameThresholdAnswer(picture: Picture): Answer {
  const { frame, evaluation } = picture;
  const label = labelAsked(picture);
  const { tone, observed, lower, upper, sides } = rateOf(label, frame);
  const informative = informativeSides(sides, [lower, upper]);
  const rows = { observed, n: evaluation.nRows[label], rows: namesOfRows(picture, label) };
  const values = {
    ...{ ...given(picture), ...rows },
    limits: limitsWords([lower, upper], informative),
    sure: frame.kind === "none" ? words("say.no_level") : sureWords(picture, frame.line.chosen),
  };
  // If the limits are 0 and 1, they say nothing, as if they were missing.
  const isBounded = (informative[0] || informative[1]) && upper - lower < 1;
  if (evaluation.unlabelled) return { lead: runs(byLabel(label, EXPECTED), values, tone), meaning: [] };
  const key = byLabel(label, isBounded ? BOUNDED : UNBOUNDED);
  const verdict = isRefuted(picture)
    ? runs("answer.refuted")
    : sentence(isBounded ? verdictWords(picture) : "");
  return { lead: runs(key, values, tone), meaning: verdict };
}

const BOUNDED = ["say.true_clears", "say.true_finds"] as const;
const EXPECTED = ["say.expected_clears", "say.expected_finds"] as const;
const UNBOUNDED = ["say.true_none_cleared", "say.true_none"] as const;

/** Whether the labels contradict the assumption of an ideal recalibration's band. */
const isRefuted = ({ evaluation, frame }: Picture) => evaluation.simultaneous && frame.notes.length > 0;

/** The parts of a ROC plot besides its curve, its area and its operating point. */
interface Around {
  /** The labels whose conformal limits are drawn. */
  labels?: readonly Label[];
  /** Bands with their names. */
  bands?: readonly Named[];
  below?: readonly Mark[];
  above?: readonly Mark[];
}

/**
 * Returns the marks of a ROC plot: bands with their names, the curve, the goal, the area and the operating point. Other
 * marks can be given to lie below and above them.
 */
export function rocMarks(
  picture: Picture,
  { labels = [], bands = [], below = [], above = [] }: Around,
): Mark[] {
  const { evaluation, frame, zoom, side = SIDE } = picture;
  const isArc = labels.length > 0 && showsArc(picture);
  const { fpr, tpr, threshold } = { ...frame.point, ...frame };
  const curve = observedCurve(evaluation);
  const goal = goalMarks(picture);
  const others = otherMarks(picture);
  const edges = bands.flatMap(({ area }) => (area.sides[0] || area.sides[1] ? [area.lower, area.upper] : []));
  const known = zoom
    ? { areas: bands.map(({ area }) => area), texts: [] }
    : named(bands, {
        boxes: [...CHANCE, ...areaCorner(picture), ...goal].flatMap((mark) => boxesOf(mark, side)),
        edges: [...edges, ...[...goal, ...others].flatMap(linesOf)],
        side,
      });
  return [
    ...known.areas,
    ...below,
    ...costLine(picture),
    ...CHANCE,
    ...goal,
    ...others,
    parts.curve({ ...curve, step: "" }),
    ...leastCostPoint(picture),
    ...areaCorner(picture),
    ...(isArc ? arcMarks(evaluation, frame) : armMarks(frame, labels)),
    ...above,
    ...known.texts,
    ...parts.point(fpr, tpr, threshold),
  ];
}

const linesOf = (mark: Mark) => (mark.kind === "line" ? [mark.points] : []);

/** Returns the texts of the area, of its limits and of their method. If the band is "none", limits are hidden. */
function areaCorner(picture: Picture): Text[] {
  const { evaluation, frame, band, zoom, side = SIDE } = picture;
  const known = evaluation.unlabelled ? frame.auc : sampledArea(picture);
  const limits = band === "none" ? null : known;
  const text = areaText([evaluation.auc, ...(limits ?? [])]);
  const below = limits && limitsWithin(side, picture, limits.map(text));
  // A curve below chance runs through the lower right corner, which is not in the magnified part.
  const isTaken = evaluation.auc < 0.5 && !zoom;
  return parts.cornerWithLimits(words("corner.auc", { auc: text(evaluation.auc) }), below, isTaken);
}

/** Writes the limits of an area. On a plot with too little room their method is left out: "Copy for a paper" has it. */
function limitsWithin(side: number, picture: Picture, [lower, upper]: readonly string[]): string {
  const { evaluation, frame } = picture;
  const said = { lower, upper, level: 1 - frame.alpha };
  const method = isAnyLook(picture) ? words("corner.looks") : areaMethod(evaluation);
  const full = words("corner.area_limits", { ...said, method });
  return lengthOf(full, false) < side - MARGIN ? full : words("corner.limits", said);
}

/** Pixels between the texts in the corner and both edges of the plot. */
const MARGIN = 16;

/** Returns the name of the method of an area's limits. */
const areaMethod = ({ area, weighted, called, unlabelled }: Evaluation) => {
  if (unlabelled) return words("corner.labels");
  if (!area?.variance) return "exact";
  return called ? "weighted influences" : weighted ? "Obuchowski" : "DeLong";
};

/** Returns the name of a label's limits in the key. */
const rateKey = ({ unlabelled }: Evaluation, label: Label) =>
  words(unlabelled ? "key.labels_rate" : "key.true_rate", { rate: nounOf(label) });

/**
 * Returns the band of a label: limits of the TPR at each FPR for label 1, limits of the FPR at each TPR for label 0.
 */
function limitsOf(picture: Picture, label: Label): Area {
  const { evaluation, frame } = picture;
  const { x, y } = observedCurve(evaluation);
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.limits;
  const sides = sidesOf(frame, label);
  const edge = (limits: Float64Array): Points =>
    label === 1 ? { x, y: limits, step: "across" } : { x: limits, y, step: "across" };
  const pen = sides[0] || sides[1] ? parts.LIMITS[label] : parts.NO_LIMITS;
  const [lower, upper] = label === 1 ? [tprLower, tprUpper] : [fprLower, fprUpper];
  const key = rateKey(evaluation, label) + missingText(picture, label, sides);
  return parts.area(`band-${nounOf(label)}`, key, edge(lower), edge(upper), pen, pen.colour, { sides });
}

/**
 * Writes for the key which limits are missing, and how to get them: by calibration="cross" or by more points.
 * If the needed number of points is known, it is written.
 */
function missingText({ evaluation, frame, source }: Picture, label: Label, sides: Sides): string {
  if (sides[0] && sides[1]) return "";
  const lacking = pointsLacking(evaluation, frame, label);
  const need = lacking ? words("key.needed", { ...lacking }) : words("key.too_few");
  const missing = parts.missingLimits(label === 1 ? sides : [sides[1], sides[0]]);
  // To suggest `calibration="cross"`, the page needs a kernel that can fit again. Limits at every threshold
  // at once do not use refits.
  const isCrossed =
    evaluation.crossable && source === "kernel" && (frame.kind === "individual" || frame.kind === "curve");
  // A picture writes these words in one line of its key, so they must be short.
  return `${missing}; ${isCrossed ? words("key.crossed") : need}`;
}

/**
 * Returns error bars for the rates whose bands are drawn, the horizontal ones first. A dotted line stands for
 * a missing limit.
 */
function armMarks(frame: Frame, labels: readonly Label[]): Mark[] {
  const { fpr, fprLower, fprUpper, tpr, tprLower, tprUpper } = frame.point;
  return ([0, 1] as const).flatMap((label): Mark[] => {
    if (!labels.includes(label)) return [];
    const [rate, at] = label === 1 ? [tpr, fpr] : [fpr, tpr];
    const ends: Pair<number> = label === 1 ? [tprLower, tprUpper] : [fprLower, fprUpper];
    const pens = [parts.ARMS[label], parts.MISSING[label]] as const;
    const sides = sidesOf(frame, label);
    return parts.limitArms(`arm-${label}`, rate, ends, at, sides, pens, parts.UNIT, label === 0);
  });
}

/**
 * Returns the arc: the part of the curve that contains the operating point of an ideal recalibration. Thin lines lead
 * from its ends to both axes.
 */
function arcMarks(evaluation: Evaluation, frame: Frame): Mark[] {
  const { fprLower, fprUpper, tprLower, tprUpper } = frame.point;
  const ends = [
    ["lower", fprLower, tprLower],
    ["upper", fprUpper, tprUpper],
  ] as const;
  const hairlines = LABELS.flatMap((label) =>
    ends.map(([end, x, y]) =>
      parts.line(
        `arc-${label}-${end}`,
        "",
        label === 1 ? parts.pointsOf([0, x], [y, y]) : parts.pointsOf([x, x], [0, y]),
        parts.LIMITS[label],
      ),
    ),
  );
  const stretch: Points = { ...arcOf(observedCurve(evaluation), frame.point), step: "" };
  return [
    ...hairlines,
    parts.line("arc", words("key.recalibrated"), stretch, frame.notes.length > 0 ? REFUTED : ARC, true),
    ...ends.map(([end, x, y]) => parts.dot(`arc-${end}`, x, y, 4.5, RING, "paper")),
  ];
}

/** Returns the bands of the comparators that are finished and visible. */
export function comparatorMarks(picture: Picture): Area[] {
  return laidComparators(picture)
    .filter(({ item }) => !picture.page.hidden.includes(item.key))
    .map(({ item: { key, name, fpr: x }, lines }) => {
      const edge = (y: Float64Array): Points => ({ x, y, step: "" });
      const pen = { ...parts.comparatorPen(key), width: LIMITS_LINE };
      return parts.area(`comparator-${key}`, name, edge(lines.lower), edge(lines.upper), pen, "");
    });
}

export const comparatorSwitches = (picture: Picture): Switch[] =>
  laidComparators(picture).map(({ item: { key, name } }) => {
    const isOn = !picture.page.hidden.includes(key);
    return { id: `comparator-${key}`, name: key, text: name, isOn };
  });

/** Returns the line of all points with the same expected cost as the operating point. */
function costLine(picture: Picture): Mark[] {
  const { cost_ratio: cost, frame } = picture;
  if (cost === null) return [];
  const { fpr, tpr } = frame.point;
  const share = prevalenceOf(picture);
  const slope = (1 - share) / (share * cost);
  const x = [Math.max(0, fpr - tpr / slope), Math.min(1, fpr + (1 - tpr) / slope)];
  const y = x.map((each) => clamp(tpr + slope * (each - fpr), 0, 1));
  return [parts.line("same-cost", words("key.same_cost"), parts.pointsOf(x, y), SAME_COST)];
}

/** Returns the mark of the point with the lowest expected cost. */
function leastCostPoint(picture: Picture): Mark[] {
  const { cost_ratio: cost, evaluation } = picture;
  if (cost === null) return [];
  const { vertex } = leastCost(evaluation, prevalenceOf(picture), cost);
  const [fpr, tpr] = [evaluation.fpr[vertex], evaluation.tpr[vertex]];
  const diamond = parts.dot("least-cost", fpr, tpr, 6, DIAMOND, "paper");
  return [{ ...diamond, shape: "diamond" }];
}
