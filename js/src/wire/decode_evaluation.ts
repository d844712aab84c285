// A group of evaluations from bytes that may be anything.

import { partitionPoint } from "../base/bisect.ts";
import { expit, logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { ALPHA_STOPS } from "../base/steps.ts";
import { type Losses, lossesOf, type Spread } from "../evaluation/estimate.ts";
import { envelopeRanks } from "../evaluation/everywhere.ts";
import {
  type Counts,
  type Envelope,
  type Evaluation,
  type Folds,
  type Followed,
  type Group,
  KINDS,
  type Label,
  type Note,
  type Residuals,
  RULES,
  type Sorted,
  type Unranked,
  type Vertices,
  type Weights,
} from "../evaluation/types.ts";
import { curveOf, frozenOf, groupsOf } from "./decode_ahead.ts";
import { promiseOf, shares } from "./decode_frame.ts";
import { reliabilityOf } from "./decode_reliability.ts";
import {
  ascending,
  ascendingCounts,
  attempt,
  count,
  type Fields,
  fieldsOf,
  flag,
  float32s,
  float64s,
  isEmpty,
  json,
  level,
  listOf,
  malformed,
  misfit,
  nameText,
  number,
  oneOf,
  optional,
  orNull,
  pairOf,
  type Result,
  record,
  text,
  versioned,
} from "./readers.ts";

const GRID = 1001;
/** A bound on ranks, as large as any message needs. */
const MOST_RANKS = 16_384;

/** The group of a data message, with the limits at some alphas once their message has come. */
export function decodeGroup(raw: unknown, stops: unknown = null): Result<Group> {
  return attempt(() => {
    const field = fieldsOf(versioned(raw, "evaluation"));
    const kind = field("kind", oneOf(KINDS));
    const later = isEmpty(stops) ? [] : fieldsOf(versioned(stops, "limits"))("entries", listOf(record));
    const entries = field("entries", listOf(record)).map((entry, i) =>
      evaluationOf({ ...entry, ...later[i] }),
    );
    if (kind === "horizons" && entries.some(({ followed }) => followed === null)) {
      misfit("entries", "have no horizon");
    }
    if (entries.length === 0 || (kind === "single" && entries.length > 1)) {
      misfit("entries", `are ${entries.length} evaluations`);
    }
    const title = field("title", optional(nameText)) ?? "";
    const means = field("means", optional(byWeights(areaOf))) ?? {};
    const rates = field("rates", optional(byWeights(meanRates))) ?? {};
    const [folds, promise] = [field("folds", optional(foldsOf)), field("together", optional(record))];
    return { kind, title, entries, folds, means, rates, together: promise && promiseOf(promise) };
  });
}

/** Reads a value for each weighting of the classes: by size and uniform. */
function byWeights<T>(read: (raw: unknown, name: string) => T) {
  return (raw: unknown, name: string): Record<Weights, T> => {
    const field = fieldsOf(raw, name);
    return { size: field("size", read), uniform: field("uniform", read) };
  };
}

/** Numbers of rows at each hundredth of the threshold, for label 0 and then for label 1. */
function meanRates(raw: unknown, name: string): Pair<Float32Array> {
  const values = float32s(raw, name);
  if (values.length !== 202) misfit(name, `are ${values.length} numbers`);
  return [values.subarray(0, 101), values.subarray(101)];
}

function foldsOf(raw: unknown, name: string): Folds {
  const field = fieldsOf(raw, name);
  const rates = (value: unknown, axis: string) => Float64Array.from(ascending(float32s(value, axis), axis));
  const pooled = { x: field("fpr", rates), y: field("tpr", rates) };
  if (pooled.x.length !== pooled.y.length) misfit(name, "have a curve of unequal axes");
  return {
    pooled,
    auc: field("auc", number),
    mean: field("mean", number),
    limits: field("limits", meanLimits),
    method: field("method", text),
  };
}

/** Lower limits of a mean area at each alpha of the slider, then the upper ones. */
function meanLimits(raw: unknown, name: string): Pair<Float32Array> {
  const values = float32s(raw, name);
  if (values.length !== 2 * ALPHA_STOPS.length) misfit(name, `are ${values.length} numbers`);
  return [values.subarray(0, ALPHA_STOPS.length), values.subarray(ALPHA_STOPS.length)];
}

function evaluationOf(data: Fields): Evaluation {
  const field = fieldsOf(data);
  const nTest = field("n_test", pairOf(atLeastOne));
  const nRows = field("rows", optional(pairOf(atLeastOne))) ?? nTest;
  const anySize = data.any_size === true;
  const thresholds = thresholdsOf(data.thresholds, field("long", optional(listOf(pairOf(number)))), anySize);
  const nCalibration = field("n_calibration", pairOf(count));
  const vertices = thresholds.length;
  const falsePositives = ascendingCounts(data.fp, "fp", vertices, nTest[0]);
  const truePositives = ascendingCounts(data.tp, "tp", vertices, nTest[1]);
  const counted = { thresholds, falsePositives, truePositives };
  const sentLogits = field(
    "logits",
    orNull((bytes, name) => float64s(bytes, name, vertices)),
  );
  const centres = field("centres", orNull(centresOf(nTest, counted, sentLogits ?? thresholds.map(logit))));
  const whole = field("whole", flag);
  const residuals = field("residuals", pairOf(residualsOf));
  if (centres && residuals.some(({ n, values }) => n > 0 && values.length === 0)) {
    misfit("residuals", "are missing");
  }
  const arrays: Sorted[] = [...(centres ?? []), ...residuals];
  if (whole && arrays.some(({ n, values, counted }) => !counted && values.length < n)) {
    misfit("whole", "arrays are thinned");
  }
  return {
    key: field("label", json),
    name: field("name", nameText),
    classes: field("classes", pairOf(nameText)),
    nTest,
    nRows,
    unit: field("unit", optional(number)) ?? 1,
    nCalibration,
    countsPeople: data.people === true,
    crossable: data.crossable === true,
    remade: data.remade === true,
    margins: data.margins === true,
    anySize,
    unlabelled: field("unlabelled", optional(unlabelledOf)),
    selectable: data.selectable === true,
    weighted: data.weighted === true,
    noLooks: data.no_looks === true,
    followed: field("followed", optional(followedOf)),
    auc: field("auc", number),
    area: field("area", optional(areaOf)),
    settled: field(
      "settled",
      optional((bytes, name) => float64s(bytes, name)),
    ),
    precisionRows: field("precision", optional(number)),
    losses: field("losses", optional(meanLossesOf)),
    rule: field("rule", oneOf(RULES)),
    words: promiseOf(field("words", record)),
    simultaneous: field("simultaneous", optional(flag)) ?? false,
    vacuousBelow: field("vacuous_below", pairOf(number)),
    notes: field("notes", listOf(noteOf)),
    others: field("others", listOf(otherOf(nTest, vertices))),
    envelope: field("envelope", optional(envelopesOf(nCalibration, residuals))),
    ...supportOf(data.support),
    simplified: field("simplified", flag),
    whole,
    ...counted,
    called: field("people_called", optional(calledOf(vertices, nRows))),
    logits: sentLogits ?? logitsOf(counted, whole ? centres : null),
    fpr: shares(falsePositives, nTest[0]),
    tpr: shares(truePositives, nTest[1]),
    grid: field("grid", orNull(gridOf(nTest))),
    reliability: field("reliability", optional(reliabilityOf)),
    centres,
    scores: scoresFrom(data.scores, centres),
    residuals,
    unranked: field("unranked", optional(pairOf(unrankedOf))),
    frozen: field("frozen", orNull(listOf(frozenOf(nTest, field("groups", optional(groupsOf(nTest))))))),
    curves: field("curves", optional(listOf(curveOf(nTest, vertices)))),
  };
}

function unlabelledOf(raw: unknown, name: string) {
  const field = fieldsOf(raw, name);
  const told = field("told", orNull(number));
  return told === null || (told > 0 && told < 1)
    ? { told, came: field("came", number) }
    : misfit(name, "are of no share");
}

function areaOf(value: unknown, name: string): Spread {
  const [variance, rows] = pairOf(number)(value, name);
  return Math.min(variance, rows) >= 0 ? { variance, rows } : misfit(name, "has a negative variance");
}

/** Mean losses; null in place of a value stands for an infinite one. */
function meanLossesOf(raw: unknown, name: string): Losses {
  const [brier, logLoss] = pairOf(listOf(orNull(number)))(raw, name).map(([value, variance, heavy]) => ({
    value: value ?? Number.POSITIVE_INFINITY,
    variance: variance ?? Number.NaN,
    isHeavy: heavy === 1,
  }));
  const numbers = [brier, logLoss].flatMap(({ value, variance }) => [value, variance]);
  if (!numbers.every((each) => each >= 0) || brier.value > 1) misfit(name, "are no losses");
  return lossesOf(brier, logLoss);
}

function followedOf(value: unknown, name: string): Followed {
  const field = fieldsOf(value, name);
  const horizon = field("horizon", number);
  if (!(horizon > 0)) misfit(name, "has no horizon");
  return { horizon, unit: field("unit", text), unknown: field("unknown", count) };
}

/** Rows that reach each vertex, of either label. */
const calledOf = (vertices: number, nRows: Pair<number>) => (value: unknown, name: string) => {
  const [fp, tp] = pairOf((bytes: unknown) => bytes)(value, name).map((bytes, label) =>
    ascendingCounts(bytes, name, vertices, nRows[label]),
  );
  return { fp, tp };
};

/** Numbers of 64 bits, or of 32 but for a few: the places and values of these are `long`. */
function thresholdsOf(value: unknown, long: Pair<number>[] | null, anySize: boolean): Float64Array {
  const thresholds = Float64Array.from((long ? float32s : float64s)(value, "thresholds"));
  for (const [place, threshold] of long ?? []) thresholds[place] = threshold;
  if (thresholds.length < 2) malformed("the curve has fewer than two vertices");
  const falls = thresholds.every((threshold, i) => i === 0 || threshold < thresholds[i - 1]);
  if (
    thresholds[0] !== Number.POSITIVE_INFINITY ||
    !falls ||
    !thresholds.every((each) => !Number.isNaN(each))
  ) {
    misfit("thresholds", "do not fall from infinity");
  }
  if (!anySize && thresholds[thresholds.length - 1] < 0) misfit("thresholds", "do not fall to a probability");
  return thresholds;
}

/** Logits of the vertices' thresholds. Thresholds are scores, so they are exact if the page has the logits of all scores. */
function logitsOf({ thresholds, ...counted }: Vertices, centres: Pair<Sorted> | null): Float64Array {
  if (centres === null || centres[0].counted) return thresholds.map(logit);
  const [zeros, ones] = centres.map(({ values }) => values);
  return thresholds.map((threshold, j) =>
    threshold < 1 && threshold > 0
      ? Math.min(smallest(zeros, counted.falsePositives[j]), smallest(ones, counted.truePositives[j]))
      : logit(threshold),
  );
}

/** The smallest of the `largest` largest values. */
function smallest(ascending: Float64Array, largest: number): number {
  return largest > 0 ? ascending[ascending.length - largest] : Number.POSITIVE_INFINITY;
}

function centresOf(nTest: Pair<number>, { falsePositives, truePositives }: Vertices, logits: Float64Array) {
  return (value: unknown, name: string): Pair<Sorted> => {
    const [zeros, ones] = pairOf(record)(value, name);
    const read = (fields: Fields, reaching: Float64Array) =>
      fields.values === null ? atVertices(fields, name, reaching, logits) : sortedOf(fields, name);
    const centres: Pair<Sorted> = [read(zeros, falsePositives), read(ones, truePositives)];
    if (centres.some(({ n, values }, k) => n !== nTest[k] || values.length === 0)) {
      misfit("centres", "are not those of the test points");
    }
    return centres;
  };
}

/** Weighted points that stand at the vertices: all of them, and those at so many even ranks. */
function atVertices(fields: Fields, name: string, reaching: Float64Array, logits: Float64Array): Sorted {
  const field = fieldsOf(fields, name);
  const n = field("n", count);
  const ranks = field("ranks", count);
  if (ranks > MOST_RANKS) misfit(name, "are at too many ranks");
  const values = ascending(logits.slice(1).reverse(), name);
  const before = Float64Array.from([...reaching.slice(1).reverse(), 0], (above) => n - above);
  if (before[0] !== 0) misfit(name, "are not those of the test points");
  const atRanks = Float64Array.from({ length: ranks }, (_, i) => {
    const rank = Math.floor(((i + 0.5) * n) / ranks);
    return values[partitionPoint(values.length, (place) => before[place] <= rank) - 1];
  });
  return { n, values: atRanks, counted: { values, before } };
}

function noteOf(value: unknown, name: string): Note {
  const field = fieldsOf(value, name);
  return { fact: field("fact", text), reason: field("reason", text), remedy: field("remedy", text) };
}

function otherOf(nTest: Pair<number>, vertices: number) {
  return (value: unknown, name: string): Evaluation["others"][number] => {
    const field = fieldsOf(value, name);
    return {
      words: promiseOf(field("words", record)),
      vacuousBelow: field("vacuous_below", pairOf(number)),
      notes: field("notes", listOf(noteOf)),
      curves: field("curves", optional(listOf(curveOf(nTest, vertices)))),
      frozen: field("frozen", orNull(listOf(frozenOf(nTest, null)))),
    };
  };
}

function envelopesOf(nCalibration: Pair<number>, all: Pair<Residuals>) {
  return (value: unknown, name: string): Pair<Envelope> => {
    const [zeros, ones] = pairOf(record)(value, name);
    const envelopeOf = (fields: Fields, label: Label): Envelope => {
      const { n, values } = all[label];
      const ranks = envelopeRanks(nCalibration[label]);
      if (fields.residuals === null && (values.length < n || n !== nCalibration[label])) {
        misfit(name, "has no residuals");
      }
      return {
        residuals:
          fields.residuals === null
            ? Float64Array.from(ranks, (rank) => values[rank - 1])
            : ascending(float64s(fields.residuals, name, ranks.length), name),
        critical: float64s(fields.critical, name, ALPHA_STOPS.length),
        points: atLeastOne(fields.points, name),
        more: count(fields.more, name),
        within: pairOf(level)(fields.within, name),
      };
    };
    return [envelopeOf(zeros, 0), envelopeOf(ones, 1)];
  };
}

function gridOf(nTest: Pair<number>) {
  return (value: unknown, name: string): Counts => {
    const { fp, tp } = record(value, name);
    return {
      fp: ascendingCounts(fp, "grid.fp", GRID, nTest[0]),
      tp: ascendingCounts(tp, "grid.tp", GRID, nTest[1]),
    };
  };
}

function sortedBy<T extends Float32Array | Float64Array>(read: (value: unknown, name: string) => T) {
  return (value: unknown, name: string): Sorted<T> => {
    const fields = record(value, name);
    const values = ascending(read(fields.values, name), name);
    const n = count(fields.n, name);
    return values.length <= n ? { n, values } : misfit(name, "are more than n");
  };
}

const sortedOf = sortedBy(float64s);
const scoresOf = sortedBy(float32s);

/** The scores, for drawing. If null, they are computed from the centres, which are their logits. */
function scoresFrom(value: unknown, centres: Pair<Sorted> | null): Pair<Sorted<Float32Array>> {
  if (value !== null || centres === null) return pairOf(scoresOf)(value, "scores");
  const [zeros, ones] = centres.map(({ n, values }) => ({ n, values: Float32Array.from(values, expit) }));
  return [zeros, ones];
}

function residualsOf(value: unknown, name: string): Residuals {
  return { ...sortedOf(value, name), stops: fieldsOf(value, name)("stops", orNull(stopsOf)) };
}

function stopsOf(value: unknown, name: string): Float64Array {
  return float64s(value, name, 2 * ALPHA_STOPS.length);
}

function unrankedOf(value: unknown, name: string): Unranked {
  const { stops, guaranteed } = record(value, name);
  return {
    stops: float64s(stops, name, 2 * ALPHA_STOPS.length),
    guaranteed: float64s(guaranteed, name, ALPHA_STOPS.length),
  };
}

function supportOf(value: unknown): Pick<Evaluation, "supportShare" | "supportAbout"> {
  if (value === null) return { supportShare: null, supportAbout: false };
  const { share, about } = record(value, "support");
  return {
    supportShare: number(share, "support.share"),
    supportAbout: flag(about, "support.about"),
  };
}

function atLeastOne(value: unknown, name: string): number {
  const n = count(value, name);
  return n > 0 ? n : misfit(name, "is 0");
}
