// Decodes a group of evaluations. The bytes are not trusted.

import { partitionPoint } from "../base/bisect.ts";
import { expit, logit } from "../base/logit.ts";
import type { Pair } from "../base/pair.ts";
import { ALPHA_STOPS } from "../base/steps.ts";
import { type Losses, lossesOf, type Spread } from "../evaluation/estimate.ts";
import { envelopeRanks } from "../evaluation/everywhere.ts";
import { ownIntervals } from "../evaluation/own_limits.ts";
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
  positive,
  type Result,
  record,
  recordOf,
  text,
  versioned,
} from "./readers.ts";

const GRID = 1001;
/** The largest number of ranks that is accepted. No message needs more. */
const MOST_RANKS = 16_384;

/**
 * Decodes a group from a data message. `stops` is a message with limits at some alphas, which may arrive later. Its
 * limits replace those of the data message.
 */
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
    const means = field("means", optional(recordOf({ size: areaOf, uniform: areaOf }))) ?? {};
    const rates = field("rates", optional(recordOf({ size: meanRates, uniform: meanRates }))) ?? {};
    const folds = field("folds", optional(foldsOf));
    return { kind, title, entries, folds, means, rates, together: field("together", optional(promiseOf)) };
  });
}

/** Reads effective sample sizes at each hundredth of the threshold, first for label 0 and then for label 1. */
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

/** Reads the limits of a mean area: the lower limits at each of ALPHA_STOPS, then the upper limits. */
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
  const reliability = field("reliability", optional(reliabilityOf(thresholds)));
  const simplified = field("simplified", flag);
  /** Makes limits at an alpha from the bounds of P(y = 1 | score) of the same rows. */
  const ownLimits = (alpha: number) => {
    const bounds = reliability?.stops.find((stop) => stop.alpha === alpha);
    return reliability && bounds && !simplified
      ? ownIntervals(counted, reliability, bounds)
      : misfit("frozen", "has no limits");
  };
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
    words: field("words", promiseOf),
    simultaneous: field("simultaneous", optional(flag)) ?? false,
    vacuousBelow: field("vacuous_below", pairOf(number)),
    notes: field("notes", notesOf),
    others: field("others", listOf(otherOf(nTest, counted))),
    envelope: field("envelope", optional(envelopesOf(nCalibration, residuals))),
    support: field("support", orNull(recordOf({ share: number, about: flag }))),
    simplified,
    whole,
    ...counted,
    called: field("people_called", optional(calledOf(vertices, nRows))),
    logits: sentLogits ?? logitsOf(counted, whole ? centres : null),
    fpr: shares(falsePositives, nTest[0]),
    tpr: shares(truePositives, nTest[1]),
    grid: field("grid", orNull(gridOf(nTest))),
    reliability,
    centres,
    scores: scoresFrom(data.scores, centres, counted),
    residuals,
    unranked: field("unranked", optional(pairOf(unrankedOf))),
    frozen: field(
      "frozen",
      orNull(listOf(frozenOf(nTest, field("groups", optional(groupsOf(nTest))), ownLimits))),
    ),
    curves: field("curves", optional(listOf(curveOf(nTest, counted)))),
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

/** Reads the mean losses. Null stands for infinity. */
function meanLossesOf(raw: unknown, name: string): Losses {
  const [brier, logLoss] = pairOf(listOf(orNull(number)))(raw, name).map(([value, ...rest]) => {
    const [variance, heavy, ...oneMore] = rest.map((each) => each ?? Number.NaN);
    if (!(Math.min(value ?? 0, variance, ...oneMore) >= 0)) misfit(name, "are no losses");
    return { value: value ?? Number.POSITIVE_INFINITY, variance, isHeavy: heavy === 1, oneMore };
  });
  if (brier.value > 1) misfit(name, "are no losses");
  return lossesOf(brier, logLoss);
}

const followedOf = recordOf<Followed>({ horizon: positive, unit: text, unknown: count });

/** Reads for each label the number of rows at or above the threshold of each vertex. */
const calledOf = (vertices: number, nRows: Pair<number>) => (value: unknown, name: string) => {
  const [fp, tp] = pairOf((bytes: unknown) => bytes)(value, name).map((bytes, label) =>
    ascendingCounts(bytes, name, vertices, nRows[label]),
  );
  return { fp, tp };
};

/**
 * Reads the thresholds. If `long` is null, all thresholds were sent with 64 bits. Otherwise most were sent
 * with 32 bits, and `long` has the indices and the values of those with 64 bits.
 */
function thresholdsOf(value: unknown, long: Pair<number>[] | null, anySize: boolean): Float64Array {
  const thresholds = Float64Array.from((long ? float32s : float64s)(value, "thresholds"));
  for (const [place, threshold] of long ?? []) thresholds[place] = threshold;
  if (thresholds.length < 2) malformed("the curve has fewer than two vertices");
  let falls = thresholds[0] === Number.POSITIVE_INFINITY;
  for (let i = 1; i < thresholds.length; i++) falls = falls && thresholds[i] < thresholds[i - 1];
  if (!falls) misfit("thresholds", "do not fall from infinity");
  if (!anySize && thresholds[thresholds.length - 1] < 0) misfit("thresholds", "do not fall to a probability");
  return thresholds;
}

/**
 * Returns the logits of the vertices' thresholds. Thresholds are scores, so their logits are exact if the page has the
 * logits of all scores.
 */
function logitsOf({ thresholds, ...counted }: Vertices, centres: Pair<Sorted> | null): Float64Array {
  if (centres === null || centres[0].counted) return thresholds.map(logit);
  const [zeros, ones] = centres.map(({ values }) => values);
  return thresholds.map((threshold, j) =>
    threshold < 1 && threshold > 0
      ? Math.min(smallest(zeros, counted.falsePositives[j]), smallest(ones, counted.truePositives[j]))
      : logit(threshold),
  );
}

/** Returns the `largest`-th largest of ascending values, or +Infinity if `largest` is 0. */
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

/**
 * Reads the centres of weighted points. Each centre is the logit of a vertex. `counted` contains all centres,
 * and `values` the centres at `ranks` evenly spaced ranks.
 */
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

const notesOf = listOf(recordOf<Note>({ fact: text, reason: text, remedy: text }));

const otherOf = (nTest: Pair<number>, vertices: Vertices) =>
  recordOf<Evaluation["others"][number]>({
    ...{ words: promiseOf, vacuousBelow: pairOf(number), notes: notesOf },
    curves: optional(listOf(curveOf(nTest, vertices))),
    frozen: orNull(listOf(frozenOf(nTest))),
  });

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

/**
 * Reads the scores for drawing. If the value is null, the scores are computed from the centres, which are the
 * logits of the scores. If the field `values` is null, the scores are the thresholds of the vertices.
 */
function scoresFrom(value: unknown, centres: Pair<Sorted> | null, vertices: Vertices): Evaluation["scores"] {
  if (value === null && centres) {
    const [zeros, ones] = centres.map(({ n, values }) => ({ n, values: Float32Array.from(values, expit) }));
    return [zeros, ones];
  }
  const [zeros, ones] = pairOf(record)(value, "scores");
  const read = (fields: Fields, reached: Float64Array) =>
    fields.values === null ? scoresAt(vertices.thresholds, reached) : scoresOf(fields, "scores");
  return [read(zeros, vertices.falsePositives), read(ones, vertices.truePositives)];
}

/**
 * Returns the scores of a label if each score is a threshold. `reached` has the number of scores that are at
 * least as high as each threshold.
 */
function scoresAt(thresholds: Float64Array, reached: Float64Array): Sorted<Float32Array> {
  const n = reached[reached.length - 1];
  const values = new Float32Array(n);
  for (let j = 1; j < reached.length; j++) values.fill(thresholds[j], n - reached[j], n - reached[j - 1]);
  return { n, values };
}

function residualsOf(value: unknown, name: string): Residuals {
  return { ...sortedOf(value, name), stops: fieldsOf(value, name)("stops", orNull(stopsOf)) };
}

function stopsOf(value: unknown, name: string): Float64Array {
  return float64s(value, name, 2 * ALPHA_STOPS.length);
}

const unrankedOf = recordOf<Unranked>({
  stops: stopsOf,
  guaranteed: (bytes, name) => float64s(bytes, name, ALPHA_STOPS.length),
});

function atLeastOne(value: unknown, name: string): number {
  const n = count(value, name);
  return n > 0 ? n : misfit(name, "is 0");
}
